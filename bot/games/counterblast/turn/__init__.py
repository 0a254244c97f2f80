"""Who acts when: the bag, activations, pairs, machines without uplink."""
