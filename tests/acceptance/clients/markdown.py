"""What a person has rendered with python-gitlab, printed as JSON for the test that runs it."""

import json
import sys

import gitlab

url, token = sys.argv[1:3]
client = gitlab.Gitlab(url, private_token=token)
print(json.dumps([client.markdown("*a*", gfm=True)]))
