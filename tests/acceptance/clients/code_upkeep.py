"""What an administrator does with a repository as a whole by python-gitlab, printed as one JSON object for the test that runs it."""

import io
import json
import sys
import tarfile

import gitlab

from refusals import refused

url, token, project_id = sys.argv[1], sys.argv[2], sys.argv[3]
seen = {}

client = gitlab.Gitlab(url, private_token=token)
client.auth()
project = client.projects.get(project_id)

seen["housekeeping"] = project.housekeeping()
seen["again"] = refused(project.housekeeping)
seen["fetches"] = project.additionalstatistics.get().fetches["total"]
seen["storage"] = project.storage.get().repository_storage
snapshot = tarfile.open(fileobj=io.BytesIO(project.snapshot()))
seen["snapshot"] = sorted(name for name in snapshot.getnames() if "/" not in name)

print(json.dumps(seen))
