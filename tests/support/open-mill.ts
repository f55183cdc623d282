import { PASSWORD, type FormBrowser } from './form-browser.js';
import type { LabelledGroups } from './labelled-groups.js';
import { signedIn } from './oauth-client.js';

/** The project `works/mill/engine`, and the browsers of those who see more or less of what is above it. */
export interface Mill {
  readonly project: number;
  /** Of the owner of all of it, who is called so. */
  readonly ada: FormBrowser;
  /** Of a guest of the group `works/mill`. */
  readonly guest: FormBrowser;
  /** Of a member of the project alone. */
  readonly member: FormBrowser;
}

/** @param level of the member of the project. */
export const openMill = async (groups: LabelledGroups, level: number): Promise<Mill> => {
  const { service } = groups;
  const top = await groups.group({ path: 'works', name: 'Works' });
  const mill = await groups.group({ path: 'mill', name: 'Mill', parent_id: top });
  const project = await groups.project(mill, { path: 'engine', name: 'Engine' });
  await groups.join(`/groups/${mill}`, await service.addUser('guest', { password: PASSWORD }), 10);
  await groups.join(`/projects/${project}`, await service.addUser('member', { password: PASSWORD }), level);
  const [ada, guest, member] = [
    await signedIn(service, 'ada'),
    await signedIn(service, 'guest'),
    await signedIn(service, 'member'),
  ];
  return { project, ada, guest, member };
};
