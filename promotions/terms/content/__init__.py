"""Terms as values, without the database: their answers and prizes, what is missing or prohibited, the filing
deadline, their text and the diff of two versions.
"""
