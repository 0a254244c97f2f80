"""Vehicles: who is aboard, what breaks, wrecks and explosions."""
