"""Turns: the bag, activations, pairs, machines without uplink."""
