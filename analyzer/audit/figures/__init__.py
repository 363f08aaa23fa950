"""The tables of an audit -> what they say together."""
