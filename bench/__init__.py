"""Measurements of the package beside others, each bar with pass or fail; `bench/run` writes RESULTS.md.

Every figure is a ratio first: what is compared runs in turn, in the same process and the same rounds, and
the ratio is the median of the rounds' own ratios. Absolute times are the machine's and the hour's.
"""
