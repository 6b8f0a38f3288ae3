"""Presage as the memory of agents: one module for each framework, which is needed only by who imports its module."""
