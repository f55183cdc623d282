"""An environment, made, changed, deployed to, stopped and removed."""
import json
import sys

import gitlab

url, token, project_id, sha = sys.argv[1:5]
client = gitlab.Gitlab(url, private_token=token)
project = client.projects.get(project_id)
environment = project.environments.create({"name": "review/one", "external_url": "https://one.example"})
listed = [each.name for each in project.environments.list(search="review")]
environment = project.environments.get(environment.id)
environment.external_url = "https://two.example"
environment.save()
changed = project.environments.get(environment.id).external_url
told = {"environment": "review/one", "sha": sha, "ref": "main", "tag": False, "status": "running"}
deployment = project.deployments.create(told)
deployment.status = "success"
deployment.save()
shown = project.deployments.get(deployment.id)
last = project.environments.get(environment.id).last_deployment
try:
    environment.delete()
    early = "done"
except gitlab.GitlabDeleteError as error:
    early = error.response_code
environment.stop()
stopped = project.environments.get(environment.id).state
environment.delete()
print(
    json.dumps(
        {
            "listed": listed,
            "changed": changed,
            "shown": [shown.status, shown.environment["name"], shown.deployable],
            "last": last["iid"],
            "early": early,
            "stopped": stopped,
            "left": [project.environments.list(all=True), project.deployments.list(all=True)],
        }
    )
)
