import type { CreatedRunner } from '../../../../../application/pipelines/ci-runners.js';
import type { CiRunnerReader } from '../../../../../application/pipelines/ports/ci-job-ports.js';
import { runnerStanding, type CiRunner, type RunnerFields } from '../../../../../domain/pipelines/ci-runner.js';
import type { WebUrls } from '../../web-urls.js';
import { field, idIn } from '../form-fields.js';
import { typed } from '../frame/form-page.js';
import type { PageContext } from '../page-context.js';
import type { PageFlash } from '../page-flash.js';
import { allowLiveScript } from '../page-headers.js';
import { actorOf } from '../page-session.js';

export interface RunnerFormParts {
  readonly ciRunnerReader: CiRunnerReader;
  readonly flash: PageFlash;
  readonly urls: WebUrls;
}

/** The forms that stop a runner for a while and have it go on, and what is said then. */
export const PAUSES = [
  { act: 'pause', paused: true, done: 'takes no more jobs.' },
  { act: 'resume', paused: false, done: 'takes jobs again.' },
] as const;

/** What people know it by. */
export const runnerTitle = ({ id, description, about }: Pick<CiRunner, 'id' | 'description' | 'about'>): string =>
  description ?? about.name ?? `No. ${id}`;

const standingOf = (runner: CiRunner, now: Date) => {
  if (runner.contactedAt === null) return { heard: 'Never heard of', online: false };
  const online = runnerStanding(runner, now) === 'online';
  return { heard: online ? 'Online' : 'Offline', online };
};

/** A runner as lists show it. */
export const shownRunner = (runner: CiRunner, now: Date) => ({
  ...runner,
  ...standingOf(runner, now),
  title: runnerTitle(runner),
});

/** What the form of a new runner says. */
export const runnerIn = ({ request }: PageContext): RunnerFields => {
  const description = field(request, 'description').trim();
  const tags = field(request, 'tags_list').split(',');
  return {
    description: description === '' ? null : description,
    tags: [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))],
    runUntagged: field(request, 'run_untagged') === 'true',
    locked: false,
    paused: false,
    protectedOnly: field(request, 'protected_only') === 'true',
    maximumTimeout: null,
    maintenanceNote: null,
  };
};

/** What the form needs to be shown. */
export const runnerForm = (context: PageContext) => ({
  fieldLabels: { tags_list: 'tags' },
  form: typed(context, { description: '', tags_list: '', run_untagged: 'true', protected_only: '' }),
});

/** Has the page after the form show the token. @param to the address of that page. */
export const keepToken = (
  { flash }: RunnerFormParts,
  { browser, response }: PageContext,
  { id, secret }: CreatedRunner,
  to: string,
): void => flash.put(response, actorOf(browser).id, [String(id), secret], to);

/** What was made a moment ago, for its maker to see once, unless it is gone again. */
export const takeNewRunner = async (
  { ciRunnerReader, flash, urls }: RunnerFormParts,
  { browser, request, response }: PageContext,
) => {
  const [id, secret] = flash.take(request, response, actorOf(browser).id);
  if (id === undefined || secret === undefined) return { copies: false };
  if ((await ciRunnerReader.find(idIn(id))) === undefined) return { copies: false };
  allowLiveScript(response);
  const command = `gatehouse runner --url ${urls.root} --token ${secret}`;
  return { copies: true, newRunner: { secret, command } };
};
