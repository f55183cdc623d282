import { expect, it } from '@jest/globals';
import { PlaceTabs } from '../../src/adapters/inbound/http/pages/frame/place-tabs.js';
import { ACCESS_LEVEL } from '../../src/domain/shared/access-level.js';

const group = { fullPath: 'mills' };
const tabs = new PlaceTabs();
const add = (name: string, order: number, more: object = {}): void =>
  tabs.addToGroups({
    name: name.toLowerCase(),
    label: name,
    to: name.toLowerCase(),
    permission: 'read_group',
    order,
    ...more,
  });
add('Variables', 20, { within: 'settings', permission: 'manage_group' });
add('Labels', 40, { within: 'planning' });
add('Issues', 30, { within: 'planning' });
add('Drafts', 31, { within: 'planning', signedIn: true });
add('Members', 80);

const shownTo = (level: number, current: string, signedIn = true) => {
  const shown = tabs.ofGroup(group, level, { current, signedIn });
  const words = (list: typeof shown.tabs) =>
    list.map(({ label, href, current: open }) => `${label} ${href.split('/').at(-1)}${open ? ' open' : ''}`);
  return { tabs: words(shown.tabs), sections: words(shown.sections), label: shown.sectionsLabel };
};

it('pages that share a tab stand in it, which is called as the first of them and leads there', () => {
  expect(shownTo(ACCESS_LEVEL.owner, 'labels')).toEqual({
    tabs: ['Issues issues open', 'Members members', 'Settings variables'],
    sections: ['Issues issues', 'Drafts drafts', 'Labels labels open'],
    label: 'Issues',
  });
});

it('a page that shares no tab shows no sections', () => {
  expect(shownTo(ACCESS_LEVEL.owner, 'members')).toMatchObject({ sections: [], label: '' });
});

it('settings stand last, and a single section of a tab is not told of', () => {
  expect(shownTo(ACCESS_LEVEL.owner, 'variables')).toEqual({
    tabs: ['Issues issues', 'Members members', 'Settings variables open'],
    sections: [],
    label: 'Settings',
  });
});

it('nobody is shown what they may not open, or have to sign in for', () => {
  const { tabs: shown, sections } = shownTo(ACCESS_LEVEL.guest, 'issues', false);
  expect(shown).toEqual(['Issues issues open', 'Members members']);
  expect(sections).toEqual(['Issues issues open', 'Labels labels']);
});
