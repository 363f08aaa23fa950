"""What tokens cost: a table of list prices by model, and amounts worked out from it."""

from analyzer.pricing.table import Bound, Price, Prices, read_prices, standard_prices

__all__ = ["Bound", "Price", "Prices", "read_prices", "standard_prices"]
