"""Bytes -> documents: archives, folders, packed and differently encoded files, large files read line by line."""
