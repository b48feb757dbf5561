"""Prints what a run of .ci/run tried, and with the name of a part of full writes it to bench/results/full.json.

Of the part heavy it writes the counts of cases into RELIABILITY.md, too.

python3 .ci/summary.py LOGS SKIPS COMMIT SECONDS [PART]
"""

import collections
import json
import re
import sys
import time
from pathlib import Path

logs, skips, commit, seconds, *part = sys.argv[1:]
outcomes, cases, missing, test = collections.Counter(), collections.Counter(), collections.Counter(), ""
missing.update(Path(skips).read_text().splitlines())
for log in sorted(Path(logs).iterdir()):
    for line in log.read_text(errors="replace").splitlines():
        if outcome := re.match(r" *--- (PASS|FAIL|SKIP)", line):
            outcomes[outcome[1]] += 1
        elif name := re.match(r"=== \w+ +(\w+)", line):
            test = name[1]
        elif tried := re.search(r"\.go:\d+: (\d+) of \d+ cases$", line):
            cases[test] += int(tried[1])
        if reason := re.search(r"(?<!')SKIPPED: (.*)", line):  # behind a quote it is a line of a script
            missing[reason[1]] += 1
for reason, n in sorted(missing.items()):
    print(f"not tried ({n}): {reason}")
print(f"{outcomes['PASS']} passed, {outcomes['FAIL']} failed, {outcomes['SKIP']} skipped")
if part:
    path = Path("bench/results/full.json")
    results = json.loads(path.read_text()) if path.exists() else {}
    results[part[0]] = {
        "commit": commit,
        "day": time.strftime("%Y-%m-%d", time.gmtime()),
        "seconds": int(seconds),
        "passed": outcomes["PASS"],
        "skipped": outcomes["SKIP"],
        "cases": dict(sorted(cases.items())),
    }
    path.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n")
    if part == ["heavy"]:
        page, tried = Path("RELIABILITY.md"), results["heavy"]["cases"]
        row = re.compile(r"\| `(\w+)` \|[ \d,]*\|")
        page.write_text(row.sub(lambda m: f"| `{m[1]}` | {tried[m[1]]:,} |" if m[1] in tried else f"| `{m[1]}` | |", page.read_text()))
