"""The interpreter keeps running while dungeons grow, and Ctrl+C ends the work."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import wallcrawler as wc

BIG = 'wc.Design.preset("keep").change("dimX, dimY -> 2000", "maxCrawlers -> 30000", "MaxAge -> 300")'


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize(
    "work",
    [
        "wc.survey(design, range(10**6))",
        "for _ in wc.grow_batches(design, range(10**6), arrays=['steps']): pass",
        "wc.survey(big, range(10**3), sight=True)",
        "[big.grow(seed) for seed in range(10**6)]",
    ],
)
def test_an_interrupt_ends_the_work(work):
    code = (
        # A shell starts commands in the background without the handler of this signal.
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "import warnings; warnings.simplefilter('ignore')\n"
        f"import wallcrawler as wc\ndesign = wc.Design.preset('pilgrimage')\nbig = {BIG}\n"
        f"print('ready', flush=True)\ntry:\n    {work}\nexcept KeyboardInterrupt:\n    print('interrupted')"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert output == "interrupted\n" and process.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and signals of POSIX")
def test_an_interrupt_ends_waiting_for_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    test_an_interrupt_ends_the_work(f"wc.Design.read({str(tmp_path / 'pipe')!r})")


def test_other_threads_of_python_keep_running():
    design = wc.Design.preset("pilgrimage")
    steps, done = 0, threading.Event()

    def work():
        wc.survey(design, range(60), threads=1)
        design.grow(3).export("gif")
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        steps += 1
        time.sleep(0.001)
    thread.join()
    assert steps > 20


def test_several_threads_of_python_grow_at_once():
    design = wc.Design.preset("pilgrimage")
    expected = wc.survey(design, range(30))
    found = []
    threads = [threading.Thread(target=lambda: found.append(wc.survey(design, range(30)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all(one.equals(expected) for one in found)
