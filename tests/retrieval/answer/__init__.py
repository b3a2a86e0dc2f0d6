"""Tests of reading and checking answers."""
