"""Clones, changes, pushes and fetches as dulwich does. Prints what it saw as JSON."""

import io
import json
import os
import sys

from dulwich import porcelain
from dulwich.repo import Repo

remote, folder = sys.argv[1], sys.argv[2]
quiet = io.BytesIO()
who = b"Ada <ada@example.com>"

porcelain.clone(remote, folder, errstream=quiet, checkout=True)
repo = Repo(folder)
cloned = repo.head().decode()

with open(os.path.join(folder, "dulwich.txt"), "w", encoding="utf-8") as file:
    file.write("from dulwich\n" * 500)
porcelain.add(repo, [os.path.join(folder, "dulwich.txt")])
made = porcelain.commit(repo, message=b"From dulwich", author=who, committer=who).decode()
porcelain.push(repo, remote, "refs/heads/main:refs/heads/main", outstream=quiet, errstream=quiet)
porcelain.push(repo, remote, "refs/heads/main:refs/heads/topic", outstream=quiet, errstream=quiet)
porcelain.push(repo, remote, ":refs/heads/topic", outstream=quiet, errstream=quiet)
fetched = porcelain.fetch(repo, remote, errstream=quiet)
refs = sorted(name.decode() for name in fetched.refs if not name.endswith(b"^{}"))

print(json.dumps({"cloned": cloned, "made": made, "refs": refs}))
