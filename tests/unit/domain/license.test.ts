import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PackageLicenses } from '../../../src/adapters/outbound/templates/package-licenses.js';
import { fillLicense } from '../../../src/domain/templates/license.js';

const licenses = new PackageLicenses();
const textOf = async (key: string): Promise<string> => {
  const [license] = await licenses.read(licenses.list().filter((each) => each.key === key));
  return license!.content;
};
const BLANKS = { year: 2031, holder: 'Ada Lovelace', project: 'Difference Engine' };

describe('blanks of licenses', () => {
  it.each([
    ['mit', 'Copyright (c) 2031 Ada Lovelace'],
    ['apache-2.0', 'Copyright 2031 Ada Lovelace'],
    ['bsd-2-clause', 'Copyright (c) 2031 Ada Lovelace'],
    ['bsd-3-clause', 'Copyright (c) 2031 Ada Lovelace'],
    ['gpl-2.0', 'Copyright (C) 2031 Ada Lovelace'],
    ['gpl-3.0', 'Difference Engine  Copyright (C) 2031  Ada Lovelace'],
    ['agpl-3.0', 'Copyright (C) 2031  Ada Lovelace'],
    ['lgpl-2.1', 'Copyright (C) 2031  Ada Lovelace'],
    ['lgpl-3.0', 'Copyright (C) 2031  Ada Lovelace'],
    ['mulanpsl-2.0', 'Copyright (c) 2031 Ada Lovelace\nDifference Engine is licensed under Mulan PSL v2.'],
    ['upl-1.0', 'Copyright (c) 2031 Ada Lovelace'],
    ['mit-0', 'Copyright 2031 Ada Lovelace'],
  ])('are filled in in %s', async (key, line) => {
    expect(fillLicense(await textOf(key), BLANKS).replace(/\n+/g, '\n')).toContain(line);
  });

  it('that nobody fills in stay, but for the year', async () => {
    expect(fillLicense(await textOf('mit'), { year: 2031 })).toContain('Copyright (c) 2031 <copyright holders>');
  });

  it('take a value that looks like a blank as it is', () => {
    const values = { year: 2031, holder: '<program> [year]', project: '$& <owner>' };
    expect(fillLicense('<program> (c) <year> <owner>', values)).toBe('$& <owner> (c) 2031 <program> [year]');
  });

  it('leave everything else as it was', () => {
    const plain = fc.string().filter((text) => !/[<[]|name of author|one line/i.test(text));
    fc.assert(fc.property(plain, (text) => fillLicense(text, BLANKS) === text));
  });
});

describe('the list of licenses', () => {
  it('has the text of each, and no key twice', async () => {
    const list = licenses.list();
    expect(new Set(list.map(({ key }) => key)).size).toBe(list.length);
    for (const { content } of await licenses.read(list)) expect(content.length).toBeGreaterThan(500);
  });
});
