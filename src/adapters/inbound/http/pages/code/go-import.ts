import type { RequestHandler } from 'express';
import { ANONYMOUS } from '../../../../../application/shared/actor.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { unlessRefused } from '../../kit/unless-refused.js';
import type { WebUrls } from '../../web-urls.js';

interface Parts {
  readonly access: Pick<WorkspaceAccess, 'project'>;
  readonly urls: WebUrls;
}

/** The path of a package: each part of it may stand in HTML as it is. */
const PACKAGE = /^\/([\w.-]+(?:\/[\w.-]+)+)\/?$/;
/** Parts of the path of a project, which groups in groups make longer. */
const MOST_PARTS = 20;

/** The first two parts, unless everybody may read a project with more: nobody learns which others there are. */
const projectOf = async ({ access }: Parts, path: string): Promise<string> => {
  const parts = path.split('/').slice(0, MOST_PARTS);
  const above = parts.slice(1).map((_, index) => parts.slice(0, index + 2).join('/'));
  const found = await Promise.all(above.map((each) => unlessRefused(access.project(ANONYMOUS, each, 'read_code'))));
  return found.find((place) => place !== undefined)?.project.fullPath ?? above[0]!;
};

/** Tells `go get` which repository has a package (go.dev/ref/mod, "Finding a repository for a module path"). */
export const answerGoImport =
  (parts: Parts): RequestHandler =>
  async (request, response, next) => {
    const [, path] = request.query['go-get'] === '1' ? (PACKAGE.exec(request.path) ?? []) : [];
    if (path === undefined || !['GET', 'HEAD'].includes(request.method)) return next();
    const project = await projectOf(parts, path);
    const module = `${parts.urls.root.replace(/^https?:\/\//, '')}/${project}`;
    const told = `<meta name="go-import" content="${module} git ${parts.urls.cloneByHttp(project)}">`;
    response.type('html').send(`<!doctype html><title>${module}</title>${told}<p>go get ${module}</p>\n`);
  };
