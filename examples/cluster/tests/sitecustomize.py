"""Kills one worker in the middle of a task, for the tests; the examples themselves contain no code for this.

Python imports this module at its start. If KILL_ONCE names a file that does not exist, the process that surveys the seed
137 creates it and ends at once, after half of the task.
"""

import os
import signal

if marker := os.environ.get("KILL_ONCE"):
    import wallcrawler

    survey = wallcrawler.survey

    def killed_once(design, seeds, *args, **options):
        if 137 in seeds:
            survey(design, list(seeds)[: len(seeds) // 2], *args, **options)
            try:
                os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return survey(design, seeds, *args, **options)

    wallcrawler.survey = killed_once
