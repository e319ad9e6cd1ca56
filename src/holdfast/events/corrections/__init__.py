"""Corrections in languages other than English. `reading` decides; one module per language holds its words."""
