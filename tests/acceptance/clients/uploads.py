"""What a person does with attached files by python-gitlab, printed as one JSON object for the test that runs it."""

import json
import sys

import gitlab

url, token, project_id = sys.argv[1:4]
client = gitlab.Gitlab(url, private_token=token)
project = client.projects.get(project_id)
picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 400

made = project.upload("plan.png", filedata=picture)
listed = client.http_list(f"/projects/{project_id}/uploads", get_all=True)
secret = made["url"].split("/")[2]
read = client.http_get(f"/projects/{project_id}/uploads/{secret}/plan.png", raw=True)
seen = {
    "alt": made["alt"],
    "url": [made["url"].startswith("/uploads/"), made["url"].endswith("/plan.png")],
    "markdown": made["markdown"] == f"![plan.png]({made['url']})",
    "listed": [file["filename"] for file in listed],
    "content": read.content == picture,
}
print(json.dumps(seen))
