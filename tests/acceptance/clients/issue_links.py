"""What a person does with links of issues by python-gitlab, printed as one JSON object for the test that runs it."""

import json
import sys

import gitlab

url, token, project_id = sys.argv[1:4]
project = gitlab.Gitlab(url, private_token=token).projects.get(project_id)
one, two = project.issues.get(1), project.issues.get(2)
source, target = one.links.create({"target_project_id": project.id, "target_issue_iid": two.iid})
seen = {"linked": [source.title, target.title]}
links = one.links.list()
seen["listed"] = [link.link_type for link in links]
one.links.delete(links[0].issue_link_id)
seen["left"] = [link.iid for link in one.links.list()]
print(json.dumps(seen))
