"""Tests of gateway.push."""
