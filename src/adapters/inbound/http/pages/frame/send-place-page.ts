import { together } from '../../../../../application/shared/together.js';
import type { Group, Project } from '../../../../../domain/workspace/namespace.js';
import type { PageContext } from '../page-context.js';
import { sendPage, type PageData } from '../render.js';

/** A page of a project or a group, and the tab that it belongs to. What it shows may still be on its way: it comes while the frame is made. */
type PlacePageData = PageData & { readonly tab: string };

/** What has come of what was on its way. */
const arrived = async (data: PlacePageData): Promise<PlacePageData> => {
  const values = await together(Object.values(data).map((value) => Promise.resolve(value)));
  const all: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.keys(data).map((name, at) => [name, values[at]]),
  );
  return { ...data, ...all };
};

/** Sends a page of a project, in the frame of the project. */
export const sendProjectPage = async (
  { browser, response, places }: PageContext,
  place: { readonly project: Project; readonly level: number },
  template: string,
  data: PlacePageData,
): Promise<void> => {
  const [frame, shown] = await together([places.ofProject(browser, place, data.tab), arrived(data)]);
  sendPage(response, browser, template, { ...shown, project: place.project, place: frame });
};

/** Sends a page of a group, in the frame of the group. */
export const sendGroupPage = async (
  { browser, response, places }: PageContext,
  place: { readonly group: Group; readonly level: number },
  template: string,
  data: PlacePageData,
): Promise<void> => {
  const [frame, shown] = await together([places.ofGroup(browser, place, data.tab), arrived(data)]);
  sendPage(response, browser, template, { ...shown, group: place.group, place: frame });
};
