"""What a build server tells of a commit, and a merge that waits for it."""
import json
import sys

import gitlab

url, token, project_id, sha = sys.argv[1:5]
client = gitlab.Gitlab(url, private_token=token)
project = client.projects.get(project_id)
commit = project.commits.get(sha)
said = commit.statuses.create({"state": "running", "name": "build", "target_url": "https://builds.example/1"})
pipeline = project.pipelines.get(said.pipeline_id)
merge_request = project.mergerequests.get(1)
merge_request.merge(merge_when_pipeline_succeeds=True)
waiting = project.mergerequests.get(1)
canceled = waiting.cancel_merge_when_pipeline_succeeds()
commit.statuses.create({"state": "failed", "name": "build"})
try:
    commit.statuses.create({"state": "failed", "name": "build"})
    twice = "taken"
except gitlab.GitlabCreateError as error:
    twice = [error.response_code, error.error_message]
print(
    json.dumps(
        {
            "running": [pipeline.status, pipeline.detailed_status["text"], pipeline.ref],
            "waits": [waiting.merge_when_pipeline_succeeds, waiting.head_pipeline["status"]],
            "canceled": canceled,
            "statuses": [[status.name, status.status] for status in commit.statuses.list(all=True)],
            "pipelines": [one.status for one in project.pipelines.list(ref="topic")],
            "of_merge_request": [one["status"] if isinstance(one, dict) else one.status for one in waiting.pipelines.list()],
            "commit": project.commits.get(sha).status,
            "twice": twice,
        }
    )
)
