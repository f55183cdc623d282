import { Type } from '@sinclair/typebox';
import type { CiFilePlace, CiFiles, CommitPlace } from '../../../../../application/pipelines/ci-files.js';
import type { Lint, LintCiFiles, TriedPipeline } from '../../../../../application/pipelines/lint-ci-files.js';
import type { ReachOtherCode } from '../../../../../application/pipelines/reach-other-code.js';
import type { RemoteCiFiles } from '../../../../../application/pipelines/remote-ci-files.js';
import type { PermittedCode, Revisions } from '../../../../../application/repositories/browse/revisions.js';
import type { RefReader } from '../../../../../application/repositories/ports/ref-reader.js';
import { userIdOf, type Actor } from '../../../../../application/shared/actor.js';
import type { WorkspaceAccess } from '../../../../../application/workspace/workspace-access.js';
import { USUAL_CI_FILE } from '../../../../../domain/shared/ci-config-path.js';
import { DEFAULT_BRANCH } from '../../../../../domain/repositories/default-branch.js';
import { branchRef, tagRef } from '../../../../../domain/repositories/ref-name.js';
import { NotFound } from '../../../../../domain/shared/domain-error.js';
import { HIDDEN_CI_FILE, isHiddenCiFile } from '../../hidden-ci-file.js';
import { inProject, PROJECT_ID } from '../../kit/guards.js';
import { routesOf } from '../../kit/routes-of.js';
import { route, type Route } from '../../route.js';
import { parameters, text } from '../../validation/parameters.js';
import { CiLintSchema, GlobalCiLintSchema, presentLint } from './ci-lint-schema.js';

export interface CiLintRoutesParts {
  readonly access: WorkspaceAccess;
  readonly revisions: Revisions;
  readonly refReader: RefReader;
  readonly ciFiles: CiFiles;
  readonly lintCiFiles: LintCiFiles;
  readonly reachOtherCode: ReachOtherCode;
  readonly remoteCiFiles: RemoteCiFiles;
}
type Parts = CiLintRoutesParts;

const ONE = '/projects/:id/ci/lint';
const TAG = 'Pipelines';
const MAX_REF = 255;
const MAX_CONTENT = 1_048_576;
const { get } = routesOf({ tag: TAG });

const CONTENT = { content: text(MAX_CONTENT, 'The CI file') };
const TRYING = {
  dry_run: Type.Boolean({ default: false, description: 'Whether a pipeline is planned, as a push would make it' }),
  include_jobs: Type.Boolean({ default: false, description: 'Whether the jobs are told' }),
  ref: Type.Optional(text(MAX_REF, 'The branch or tag that a pipeline is planned for; the default branch unless told')),
};
const UNKNOWN_REF = 'Reference not found';
const noFile = ({ project }: PermittedCode): string =>
  `Please provide content of ${project.ciConfigPath ?? USUAL_CI_FILE}`;

const refused = (error: string): Lint => ({ errors: [error], warnings: [], mergedYaml: null, jobs: [] });

interface Asked {
  readonly subject: PermittedCode;
  readonly content: string;
  /** The commit whose files are included. */
  readonly at: CiFilePlace | undefined;
  readonly actor: Actor;
  readonly dryRun: boolean;
  readonly ref: string | undefined;
}

const ofProject = ({ project }: PermittedCode, place: CommitPlace): CiFilePlace => ({
  ...place,
  configPath: project.ciConfigPath,
});

/** Undefined for what no branch or tag is called. */
const triedOf = async (
  { revisions, refReader }: Parts,
  { subject, ref, actor }: Asked,
): Promise<TriedPipeline | undefined> => {
  const name = ref || (subject.project.defaultBranch ?? DEFAULT_BRANCH);
  const repository = await revisions.repositoryOf(subject);
  if (repository === undefined) return undefined;
  const [branch, tag] = [branchRef(name), tagRef(name)];
  const found = await refReader.findRefs(repository.id, [branch, tag]);
  const meant = found.length > 1 ? await refReader.resolve(repository.id, name) : found[0];
  const revision = meant && (await revisions.findIn(repository, subject, meant.name));
  if (meant === undefined || revision === undefined) return undefined;
  return { ...revision, ref: name, tag: meant.name === tag, project: subject.project, userId: userIdOf(actor) };
};

const lintOf = async (parts: Parts, asked: Asked): Promise<Lint> => {
  const { content, at, actor, dryRun } = asked;
  const reach = parts.reachOtherCode.as(actor);
  const { project } = asked.subject;
  // Nobody has the service ask servers elsewhere without saying who they are.
  const userId = userIdOf(actor);
  const fetch = userId === null ? undefined : parts.remoteCiFiles.forPerson(userId);
  const around = { reach, ...(fetch && { fetch }) };
  if (!dryRun) return parts.lintCiFiles.lint(content, { at, ...around, project });
  const tried = await triedOf(parts, asked);
  return tried === undefined
    ? refused(UNKNOWN_REF)
    : parts.lintCiFiles.lint(content, { at: at ?? ofProject(asked.subject, tried), ...around }, tried);
};

const lintContent = (parts: Parts): Route =>
  route({
    method: 'post',
    path: ONE,
    operationId: 'lintCiContent',
    summary: 'Say what is wrong with a CI file that is not committed yet',
    description: 'Files that it includes are those of the default branch, or of the branch or tag that `ref` says.',
    tag: TAG,
    access: 'user',
    parameters: parameters({ id: PROJECT_ID, ...CONTENT, ...TRYING }),
    responses: { 200: CiLintSchema },
    guard: inProject(parts.access, 'push_code'),
    handle: async ({ actor, subject, parameters: { content, dry_run: dryRun, include_jobs: includeJobs, ref } }) => {
      const found = await parts.revisions.find(subject, ref || undefined);
      const at = found && ofProject(subject, found);
      return { body: presentLint(await lintOf(parts, { subject, content, at, actor, dryRun, ref }), includeJobs) };
    },
  });

const lintCommitted = (parts: Parts): Route =>
  get(ONE, 'lintCi', {
    summary: 'Say what is wrong with the CI file of a commit',
    access: 'anyone',
    parameters: {
      id: PROJECT_ID,
      content_ref: Type.Optional(
        text(MAX_REF, 'A branch, a tag, or the id of a commit; the default branch unless told'),
      ),
      sha: Type.Optional(text(MAX_REF, 'The same, by its older name')),
      ...TRYING,
    },
    answer: CiLintSchema,
    guard: inProject(parts.access, 'read_code'),
    handle: async ({ actor, subject, parameters: sent }) => {
      const repository = await parts.revisions.repositoryOf(subject);
      if (repository === undefined) throw new NotFound('Repository');
      const found = await parts.revisions.findIn(repository, subject, sent.content_ref || sent.sha || undefined);
      if (found === undefined) throw new NotFound('Commit');
      const at = ofProject(subject, found);
      if (await isHiddenCiFile({ access: parts.access, actor, place: subject }, at.configPath))
        return presentLint(refused(HIDDEN_CI_FILE), sent.include_jobs);
      const content = await parts.ciFiles.mainAt(at);
      if (content === undefined) return presentLint(refused(noFile(subject)), sent.include_jobs);
      const asked = { subject, content, at, actor, dryRun: sent.dry_run, ref: sent.ref };
      return presentLint(await lintOf(parts, asked), sent.include_jobs);
    },
  });

const lintAnywhere = ({ lintCiFiles }: Parts): Route =>
  route({
    method: 'post',
    path: '/ci/lint',
    operationId: 'lintCiAnywhere',
    summary: 'Say what is wrong with a CI file of no project',
    description: 'It has no files to include.',
    tag: TAG,
    access: 'user',
    parameters: parameters(CONTENT),
    responses: { 200: GlobalCiLintSchema },
    handle: async ({ parameters: { content } }) => {
      const { valid, jobs: _jobs, ...told } = presentLint(await lintCiFiles.lint(content), false);
      return { body: { status: valid ? 'valid' : 'invalid', ...told } };
    },
  });

export const createCiLintRoutes = (parts: Parts): readonly Route[] => [
  lintContent(parts),
  lintCommitted(parts),
  lintAnywhere(parts),
];
