"""Predictions: what an agent says will happen, in a checkable form, in free words, or in passing."""
