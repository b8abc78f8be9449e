"""`make run`.

launcher.py          starts servers, migrates, loads the demo, then runs the Procfile under honcho
embedded_servers.py  PostgreSQL and Valkey from wheels
child_processes.py   child processes that end with their parent; leftovers of a killed run
"""
