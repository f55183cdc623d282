import type { PermittedSnippet } from '../../../../../application/snippets/snippet-access.js';
import { itemsOf } from '../../../../../application/shared/page-in-batches.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { originOf } from '../../api-v4/snippets/snippet-fields.js';
import { tell } from '../frame/notice.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { problemsOf, type PageContext, type Pages } from '../page.js';
import { actorFor, pageRequest, queryChoice } from '../page-request.js';
import { actorOf } from '../page-session.js';
import { PageTexts } from '../page-texts.js';
import type { FieldProblems } from '../render.js';
import { addSnippetCommentPages, commentsOn } from './snippet-comments.js';
import { actionsIn, EMPTY_FORM, formOf, sentForm, type SnippetForm } from './snippet-form.js';
import { ShownPlace, type SnippetPagesParts } from './snippet-place.js';

type Parts = SnippetPagesParts;

/** Those of people, and those of projects. */
const SHELVES = ['^', '^/(?<path>.+?)'] as const;

/** Snippets: lists, one, and the forms that make, change and remove one. */
export const addSnippetPages = (pages: Pages, parts: Parts): void => {
  pages.tabs.addToProjects({
    name: 'snippets',
    label: 'Snippets',
    to: 'snippets',
    permission: 'read_snippets',
    order: 60,
  });
  for (const shelf of SHELVES) {
    const at = (path: string) => new RegExp(`${shelf}/-/snippets${path}$`);
    const one = '/(?<id>\\d{1,15})';
    pages.get(at(''), 'anyone', (context) => showList(parts, context));
    pages.get(at('/new'), 'signed_in', (context) => openNew(parts, context));
    pages.postLarge(at('/new'), (context) => saveNew(parts, context));
    pages.get(at(one), 'anyone', (context) => showOne(parts, context));
    pages.get(at(`${one}/raw`), 'anyone', (context) => sendRaw(parts, context));
    pages.get(at(`${one}/raw/main/(?<file>.+)`), 'anyone', (context) => sendRaw(parts, context));
    pages.get(at(`${one}/edit`), 'signed_in', (context) => openEdit(parts, context));
    pages.postLarge(at(`${one}/edit`), (context) => saveEdit(parts, context));
    addSnippetRemovalPage(pages, parts, at(`${one}/remove`));
  }
  addSnippetCommentPages(pages, parts, (context, extra) => showOne(parts, context, extra));
};

const idIn = ({ request }: PageContext): string => String(request.params['id'] ?? request.params['iid']);

const showList = async (parts: Parts, context: PageContext): Promise<void> => {
  const { access, snippetReader } = parts;
  const shown = await ShownPlace.open(parts, context);
  const { user } = context.browser;
  const scope = user === undefined ? 'public' : queryChoice(context, 'scope', ['own', 'public']);
  const request = pageRequest(context);
  const viewer = access.viewer(actorFor(context.browser));
  const of = shown.permitted?.project.id ?? scope;
  const page = await snippetReader.list({ viewer, of, page: request });
  await shown.send('snippets', {
    title: shown.permitted === undefined ? 'Snippets' : `Snippets of ${shown.permitted.project.name}`,
    snippets: await itemsOf(page.batches),
    scope,
    ofPeople: shown.permitted === undefined,
    offersNew: shown.offersNew,
    page,
    request,
    kept: shown.permitted === undefined ? { scope } : {},
  });
};

const showOne = async (parts: Parts, context: PageContext, extra: object = {}): Promise<void> => {
  const shown = await ShownPlace.open(parts, context);
  const actor = actorFor(context.browser);
  const { snippet } = await parts.snippetAccess.toRead(actor, shown.place, idIn(context));
  const texts = new PageTexts();
  const description = texts.show(snippet.description ?? '');
  const files = (await parts.snippetReader.files(snippet.id)).map(({ path, content }) => ({
    path,
    raw: `${shown.address}/${snippet.id}/raw/main/${encodeURIComponent(path).replaceAll('%2F', '/')}`,
    content: texts.show(content),
  }));
  await shown.send('snippet', {
    title: snippet.title,
    snippet,
    description,
    files,
    mayChange: shown.offersChange(snippet),
    comments: await commentsOn(parts, context, snippet, shown.permitted),
    ...extra,
  });
};

/** Even what a browser would take for a page runs nothing, loads nothing, and is of no origin. */
const CSP = "default-src 'none'; sandbox";

const sendRaw = async (parts: Parts, context: PageContext): Promise<void> => {
  const { request, response } = context;
  const shown = await ShownPlace.open(parts, context);
  const { snippet } = await parts.snippetAccess.toRead(actorFor(context.browser), shown.place, idIn(context));
  const path = request.params['file'] as string | undefined;
  const { content } = orNotFound(await parts.snippetReader.file(snippet.id, path));
  response.set({ 'Content-Security-Policy': CSP, 'Content-Disposition': 'inline' });
  response.type('text/plain; charset=utf-8').send(content);
};

interface Shown {
  readonly shown: ShownPlace;
  readonly form: SnippetForm;
  readonly problems?: FieldProblems;
}

const showForm = ({ shown, form, problems = {} }: Shown, snippet?: PermittedSnippet<'change'>['snippet']) =>
  shown.send('snippet-edit', {
    title: snippet === undefined ? 'New snippet' : `Edit ${snippet.title}`,
    snippet,
    form,
    problems,
    fieldIds: { files: 'path_0', base: 'path_0' },
    fieldLabels: { files: 'The files', base: '' },
  });

const openNew = async (parts: Parts, context: PageContext): Promise<void> => {
  const shown = await ShownPlace.open(parts, context);
  await requireMaking(parts, context, shown);
  await showForm({ shown, form: EMPTY_FORM });
};

/** In a project reporters make them, elsewhere everybody does. @throws Forbidden. */
const requireMaking = async ({ access }: Parts, { browser }: PageContext, { permitted }: ShownPlace) =>
  permitted === undefined
    ? undefined
    : access.project(actorFor(browser), permitted.project.fullPath, 'create_snippets');

const saveNew = async (parts: Parts, context: PageContext): Promise<void> => {
  const { request, response, browser } = context;
  const shown = await ShownPlace.open(parts, context);
  const permitted = await requireMaking(parts, context, shown);
  const form = sentForm(context);
  const { title, description, visibility } = form;
  const command = { title, description, visibility, files: actionsIn(form), origin: originOf(request) };
  const author = actorOf(browser);
  try {
    const id = await (permitted === undefined
      ? parts.snippets.createOwn(author, command)
      : parts.snippets.createIn(permitted, author, command));
    tell(response, browser, `Snippet “${title}” added.`);
    response.redirect(303, `${shown.address}/${id}`);
  } catch (error) {
    const problems = problemsOf(error);
    response.status(400);
    await showForm({ shown, form, problems });
  }
};

const findToChange = async (parts: Parts, context: PageContext) => {
  const shown = await ShownPlace.open(parts, context);
  const found = await parts.snippetAccess.toChange(actorOf(context.browser), shown.place, idIn(context));
  return { shown, found, address: `${shown.address}/${found.snippet.id}` };
};

const openEdit = async (parts: Parts, context: PageContext): Promise<void> => {
  const { shown, found } = await findToChange(parts, context);
  const files = await parts.snippetReader.files(found.snippet.id);
  await showForm({ shown, form: formOf(found.snippet, files) }, found.snippet);
};

const saveEdit = async (parts: Parts, context: PageContext): Promise<void> => {
  const { shown, found, address } = await findToChange(parts, context);
  const form = sentForm(context);
  const { title, description, visibility } = form;
  try {
    await parts.snippets.edit(found, { title, description, visibility, files: actionsIn(form) });
    tell(context.response, context.browser, `Snippet “${title}” saved.`);
    context.response.redirect(303, address);
  } catch (error) {
    const problems = problemsOf(error);
    context.response.status(400);
    await showForm({ shown, form, problems }, found.snippet);
  }
};

const addSnippetRemovalPage = (pages: Pages, parts: Parts, path: RegExp): void =>
  addRemovalPage(pages, {
    path,
    find: (context) => findToChange(parts, context),
    ask: async ({ browser, places }, { shown: { permitted }, found: { snippet }, address }) => ({
      title: `Remove the snippet ${snippet.title}?`,
      consequences: [
        `Its ${snippet.files.length === 1 ? 'file goes' : 'files go'} with it, and what was said about it.`,
      ],
      button: 'Remove snippet',
      cancel: address,
      ...(permitted === undefined ? {} : { frame: await places.ofProject(browser, permitted, 'snippets') }),
    }),
    act: async ({ browser }, { shown, found }) => {
      await parts.snippets.remove(actorOf(browser), found);
      return { notice: `Snippet “${found.snippet.title}” removed.`, to: shown.address };
    },
  });
