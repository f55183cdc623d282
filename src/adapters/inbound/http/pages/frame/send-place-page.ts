import type { Group, Project } from '../../../../../domain/workspace/namespace.js';
import type { PageContext } from '../page-context.js';
import { sendPage, type PageData } from '../render.js';

/** A page of a project or a group, and the tab that it belongs to. */
type PlacePageData = PageData & { readonly tab: string };

/** Sends a page of a project, in the frame of the project. */
export const sendProjectPage = async (
  { browser, response, places }: PageContext,
  place: { readonly project: Project; readonly level: number },
  template: string,
  data: PlacePageData,
): Promise<void> => {
  const frame = await places.ofProject(browser, place, data.tab);
  sendPage(response, browser, template, { ...data, project: place.project, place: frame });
};

/** Sends a page of a group, in the frame of the group. */
export const sendGroupPage = async (
  { browser, response, places }: PageContext,
  place: { readonly group: Group; readonly level: number },
  template: string,
  data: PlacePageData,
): Promise<void> => {
  const frame = await places.ofGroup(browser, place, data.tab);
  sendPage(response, browser, template, { ...data, group: place.group, place: frame });
};
