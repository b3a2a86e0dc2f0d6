"""Readers of our own for what the main parser does not take: text, Markdown, tables as text, large workbooks, e-mails.

They run in a child process, `python -m retrieval.library.readers`. Each takes the file and its name, which is for
messages and titles, and raises DocumentRefused.
"""
