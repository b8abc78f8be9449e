"""Django's PostgreSQL backend with a planning mode, in which a service runs without locking or writing anything.

plan.py      `planning()` and the Plan that it collects
base.py      the backend, named by DATABASES["default"]["ENGINE"]
compiler.py  SQL compilers that write and lock nothing while planning
"""
