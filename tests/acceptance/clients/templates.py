"""What a person reads of templates with python-gitlab, printed as one JSON object for the test that runs it."""

import json
import sys

import gitlab

from refusals import refused

url, token = sys.argv[1:3]
client = gitlab.Gitlab(url, private_token=token)
seen = {}

for kind, manager, key in (
    ("gitignores", client.gitignores, "Python"),
    ("ci", client.gitlabciymls, "Nodejs"),
    ("dockerfiles", client.dockerfiles, "Node"),
):
    names = [each.name for each in manager.list(all=True)]
    one = manager.get(key)
    seen[kind] = [key in names, one.name, len(one.content) > 0]
seen["licenses"] = "mit" in [each.key for each in client.licenses.list(all=True)]
mit = client.licenses.get("mit", project="Mill", fullname="Ada Lovelace")
seen["license"] = [mit.key, "Ada Lovelace" in mit.content]
seen["none"] = refused(lambda: client.licenses.get("none"))
print(json.dumps(seen))
