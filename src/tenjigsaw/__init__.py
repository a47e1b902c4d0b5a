"""Put square-tile puzzles with worn edges back together."""

__version__ = "0.1.0"
