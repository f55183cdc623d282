import { itemsOf } from '../../../../../application/shared/page-in-batches.js';
import type { Permitted } from '../../../../../application/shared/permitted.js';
import { MOST_MILESTONES, type Release } from '../../../../../domain/repositories/release.js';
import { Invalid, NotPossible } from '../../../../../domain/shared/domain-error.js';
import { isOffered } from '../../../../../domain/workspace/workspace-policy.js';
import { writerOf } from '../../api-v4/repository/code-writing.js';
import { given } from '../../kit/given.js';
import { orNotFound } from '../../kit/or-not-found.js';
import { CodeAddresses, projectPagePath, shortName } from '../code/code-addresses.js';
import { field } from '../form-fields.js';
import { addFormPage, dayField, textField, typed, typedList, type Refusal } from '../frame/form-page.js';
import { addRemovalPage } from '../frame/removal-page.js';
import { refuseOvertaken, seenIn } from '../frame/seen-values.js';
import { sendProjectPage } from '../frame/send-place-page.js';
import type { PageContext } from '../page-context.js';
import type { Pages } from '../page.js';
import { actorOf } from '../page-session.js';
import { projectPath } from '../project-path.js';
import { releaseAddress, releasePath } from './release-address.js';
import { linesOf, readLinkLines, replaceLinks } from './release-links.js';
import type { ReleasePagesParts } from './release-pages-parts.js';

type Editor = Permitted<'write_releases'>;

interface Edited {
  readonly place: Editor;
  readonly release: Release;
}

const TAGS_OFFERED = 50;
const MILESTONES_OFFERED = 100;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const startOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

const listOf = ({ project }: Editor): string => new CodeAddresses(project.fullPath).page('releases');
const addressOf = ({ project }: Editor, tag: string): string => releaseAddress(project.fullPath, tag);

/** The titles of the milestones whose boxes are checked. @throws NotPossible for too many. */
const milestonesIn = (context: PageContext): readonly string[] => {
  const titles = typedList(context, 'milestones', []);
  if (titles.length > MOST_MILESTONES) throw new NotPossible(`A release has ${MOST_MILESTONES} milestones at most.`);
  return titles;
};

/** Whether the milestones of the project are there to choose from. */
const plans = ({ project, level }: Editor): boolean => isOffered(project, level, 'read_milestones');

const valuesOf = (release: Release) => ({
  name: release.name,
  released_at: dayOf(release.releasedAt),
  description: release.description ?? '',
  links: linesOf(release),
});

/** All that the form changes. */
const allOf = (release: Release) => ({ ...valuesOf(release), milestones: [...release.milestoneIds].sort() });

/** Making, editing and removing releases. */
class ReleaseForms {
  constructor(private readonly parts: ReleasePagesParts) {}

  editor({ browser, request }: PageContext): Promise<Editor> {
    return this.parts.access.project(actorOf(browser), projectPath(request), 'write_releases');
  }

  async find(context: PageContext): Promise<Edited> {
    const place = await this.editor(context);
    const tag = String(context.request.params['tag']);
    return { place, release: orNotFound(await this.parts.releaseReader.find(place.project.id, tag), 'Release') };
  }

  async showNew(context: PageContext, place: Editor, refusal: Refusal): Promise<void> {
    const repository = await this.parts.locate.repository(place);
    const query = { kind: 'tag', orderBy: 'updated', sort: 'desc', page: { page: 1, perPage: TAGS_OFFERED } } as const;
    const tags = repository && (await this.parts.refReader.list({ repositoryId: repository.id, ...query })).items;
    await this.#show(context, place, {
      title: 'New release',
      button: 'Create release',
      cancel: listOf(place),
      tags: (tags ?? []).map(({ name }) => shortName(name)),
      ...(await this.#milestones(context, place, [])),
      form: typed(context, {
        tag: '',
        ref: place.project.defaultBranch ?? '',
        name: '',
        released_at: '',
        description: '',
        links: '',
      }),
      ...refusal,
    });
  }

  async showEdit(context: PageContext, { place, release }: Edited, refusal: Refusal): Promise<void> {
    const { tag, milestoneIds } = release;
    await this.#show(context, place, {
      title: `Edit the release ${tag}`,
      button: 'Save changes',
      cancel: addressOf(place, tag),
      ...(await this.#milestones(context, place, milestoneIds)),
      form: typed(context, valuesOf(release)),
      seen: seenIn(context, allOf(release)),
      ...refusal,
    });
  }

  /** Those that are open, beside those that the release has; and which of them are chosen. */
  async #milestones(context: PageContext, place: Editor, ids: readonly number[]) {
    if (!plans(place)) return {};
    const { project } = place;
    const { milestoneReader } = this.parts;
    const page = { page: 1, perPage: MILESTONES_OFFERED };
    const { batches } = await milestoneReader.list({
      projectId: project.id,
      withThoseAbove: true,
      state: 'active',
      page,
    });
    const had = (await milestoneReader.findAll(project.id, ids)).map(({ title }) => title);
    const open = (await itemsOf(batches)).map(({ title }) => title);
    return {
      milestones: [...new Set([...had, ...open])].map((name) => ({ name })),
      planned: typedList(context, 'milestones', had),
    };
  }

  #show(context: PageContext, place: Editor, data: { readonly title: string; readonly [name: string]: unknown }) {
    return sendProjectPage(context, place, 'release-form', { tab: 'files', ...data });
  }

  async make(context: PageContext, place: Editor) {
    const { request, browser } = context;
    const [tag, name] = [field(request, 'tag').trim(), field(request, 'name').trim()];
    if (tag === '') throw new Invalid({ tag: ["can't be blank"] });
    const day = dayField(context, 'released_at');
    await this.parts.releases.create(place, await writerOf(this.parts.users, actorOf(browser)), {
      ...{ tag, name, ref: field(request, 'ref').trim(), description: textField(context, 'description') },
      links: readLinkLines(textField(context, 'links')),
      ...given({
        milestones: plans(place) ? milestonesIn(context) : undefined,
        releasedAt: day === null ? undefined : startOf(day),
      }),
    });
    return { notice: `Release “${name === '' ? tag : name}” created.`, to: addressOf(place, tag) };
  }

  async save(context: PageContext, { place, release }: Edited) {
    const name = field(context.request, 'name').trim();
    const links = readLinkLines(textField(context, 'links'));
    // Those that it has stay where the form offers none.
    const milestones = plans(place) ? milestonesIn(context) : undefined;
    const day = dayField(context, 'released_at');
    const actor = actorOf(context.browser);
    refuseOvertaken(context, allOf(release));
    await replaceLinks(this.parts.releases, { place, actor, release }, links);
    await this.parts.releases.edit(place, actor, release, {
      name: name === '' ? release.tag : name,
      description: textField(context, 'description'),
      ...given({
        milestones,
        // A day that is left as it was keeps its hour.
        releasedAt: day === null || day === dayOf(release.releasedAt) ? undefined : startOf(day),
      }),
    });
    return { notice: `Release “${name === '' ? release.tag : name}” saved.`, to: addressOf(place, release.tag) };
  }
}

export const addReleaseFormPages = (pages: Pages, parts: ReleasePagesParts): void => {
  const forms = new ReleaseForms(parts);
  addFormPage<Editor>(pages, {
    // No tag begins with a hyphen, so this is the address of none.
    path: projectPagePath('releases/-/new'),
    large: true,
    find: (context) => forms.editor(context),
    show: (context, place, refusal) => forms.showNew(context, place, refusal),
    act: (context, place) => forms.make(context, place),
  });
  addFormPage<Edited>(pages, {
    path: releasePath('/edit'),
    large: true,
    find: (context) => forms.find(context),
    show: (context, edited, refusal) => forms.showEdit(context, edited, refusal),
    act: (context, edited) => forms.save(context, edited),
  });
  addRemovalPage<Edited>(pages, {
    path: releasePath('/remove'),
    find: (context) => forms.find(context),
    ask: async ({ browser, places }, { place, release }) => ({
      title: `Remove the release ${release.name}?`,
      consequences: [`The tag ${release.tag} stays.`, 'Its description and links are lost.'],
      button: 'Remove release',
      cancel: addressOf(place, release.tag),
      frame: await places.ofProject(browser, place, 'files'),
    }),
    act: async ({ browser }, { place, release }) => {
      await parts.releases.remove(place, actorOf(browser), release);
      return { notice: `Release “${release.name}” removed.`, to: listOf(place) };
    },
  });
};
