"""Owns training: drills for dealers and supervisors, made and graded by the engine from an edition's rulebook; exams
and certificates that anyone can run again; a learner's record by clause. It must not know a house, people or a clock:
seeds and times come in as arguments.
"""
