"""The commands of the program, a module each: arguments in, a question to the library, an answer out.

Guarantees: a command's module is imported when that command is called, and no other's; `listed.py` has the names and
the lines that `conquian --help` shows. A command takes apart what it is given (`given.py`), asks the library, and
writes what it is told (`writing.py`); nothing else is here.
"""
