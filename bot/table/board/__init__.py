"""The shared board: what stands where on the table, in inches, so that distances and cover are measured."""
