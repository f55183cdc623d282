import { describe, expect, it } from '@jest/globals';
import {
  ALL_ENABLED,
  FEATURE_LEVELS,
  isFeatureOn,
  levelOfFeature,
  PROJECT_FEATURES,
} from '../../src/domain/workspace/project-features.js';
import {
  decideInProject,
  featureOf,
  isOffered,
  permissionsBehind,
  PROJECT_PERMISSIONS,
  type ProjectPermission,
} from '../../src/domain/workspace/workspace-policy.js';

const STRANGER = { signedIn: true, admin: false };
const VISITOR = { signedIn: false, admin: false };
const ADMINISTRATOR = { signedIn: true, admin: true };
const PERMISSIONS = Object.keys(PROJECT_PERMISSIONS) as ProjectPermission[];
const project = (visibility: 'public' | 'internal' | 'private', features = {}) => ({
  visibility,
  archived: false,
  features: { ...ALL_ENABLED, ...features },
});

describe('a feature of a project', () => {
  it.each(['merge_requests', 'builds', 'forking', 'releases'] as const)(
    '%s is as open as the lesser of what was set of it and of the repository',
    (feature) => {
      for (const [own, ownLevel] of FEATURE_LEVELS.entries())
        for (const [code, codeLevel] of FEATURE_LEVELS.entries()) {
          const features = { ...ALL_ENABLED, [feature]: ownLevel, repository: codeLevel };
          expect(levelOfFeature(features, feature)).toBe(FEATURE_LEVELS[Math.min(own, code)]);
        }
    },
  );

  it.each(['issues', 'snippets'] as const)('%s does not follow the repository', (feature) => {
    expect(levelOfFeature({ ...ALL_ENABLED, repository: 'disabled' }, feature)).toBe('enabled');
  });

  it('is there unless it, or what it tells of, is switched off', () => {
    expect(isFeatureOn({ features: ALL_ENABLED }, 'builds')).toBe(true);
    expect(isFeatureOn({ features: { ...ALL_ENABLED, builds: 'private' } }, 'builds')).toBe(true);
    expect(isFeatureOn({ features: { ...ALL_ENABLED, repository: 'disabled' } }, 'builds')).toBe(false);
  });
});

describe('what somebody may do to a project', () => {
  const usesOf = (feature: string) => PERMISSIONS.filter((permission) => featureOf(permission) === feature);

  it.each(PROJECT_FEATURES)('is nothing of %s where it is switched off, whoever asks', (feature) => {
    const off = project('public', { [feature]: 'disabled' });
    expect(usesOf(feature)).not.toEqual([]);
    for (const permission of usesOf(feature))
      for (const asker of [VISITOR, STRANGER, ADMINISTRATOR])
        expect(decideInProject(asker, off, 50, permission)).toBe('switched_off');
  });

  it.each(PROJECT_FEATURES)('of %s that is kept to members is what it were in a private project', (feature) => {
    const kept = project('public', { [feature]: 'private' });
    for (const permission of usesOf(feature))
      for (const level of [0, 10, 20, 30, 40, 50])
        expect([permission, level, decideInProject(STRANGER, kept, level, permission)]).toEqual([
          permission,
          level,
          level >= PROJECT_PERMISSIONS[permission] ? 'granted' : 'insufficient_access_level',
        ]);
  });

  it('is nothing that somebody learns of who does not see it', () => {
    for (const permission of PERMISSIONS)
      expect(decideInProject(STRANGER, project('private', { issues: 'disabled' }), 0, permission)).toBe('invisible');
  });

  it('beside its features stays as it is', () => {
    const off = Object.fromEntries(PROJECT_FEATURES.map((feature) => [feature, 'disabled']));
    const beside = PERMISSIONS.filter((each) => featureOf(each) === undefined && permissionsBehind(each).length === 0);
    for (const permission of beside)
      for (const level of [0, 10, 20, 30, 40, 50])
        expect(decideInProject(STRANGER, project('public', off), level, permission)).toBe(
          decideInProject(STRANGER, project('public'), level, permission),
        );
  });

  describe.each(['labels', 'milestones'] as const)('to its %s', (kind) => {
    const read = (who: typeof STRANGER, level: number, features: object, visibility: 'public' | 'private' = 'public') =>
      decideInProject(who, project(visibility, features), level, `read_${kind}`);
    const manage = (level: number, features: object) =>
      decideInProject(STRANGER, project('public', features), level, `manage_${kind}`);

    it('is reading them where issues or merge requests are open to whoever asks', () => {
      for (const features of [{ issues: 'private' }, { merge_requests: 'disabled' }, { repository: 'private' }])
        for (const who of [VISITOR, STRANGER]) expect(read(who, 0, features)).toBe('granted');
      for (const features of [
        { issues: 'private', merge_requests: 'private' },
        { issues: 'private', merge_requests: 'disabled' },
        { issues: 'disabled', repository: 'private' },
      ])
        for (const who of [VISITOR, STRANGER]) expect(read(who, 0, features)).toBe('insufficient_access_level');
    });

    it('is reading them for members who read issues or merge requests', () => {
      expect(read(STRANGER, 10, { issues: 'private', merge_requests: 'disabled' })).toBe('granted');
      expect(read(STRANGER, 10, { issues: 'disabled', merge_requests: 'private' })).toBe('insufficient_access_level');
      expect(read(STRANGER, 20, { issues: 'disabled', merge_requests: 'private' })).toBe('granted');
      expect(read(STRANGER, 10, {}, 'private')).toBe('granted');
      expect(read(STRANGER, 0, {}, 'private')).toBe('invisible');
      expect(read(ADMINISTRATOR, 0, { issues: 'disabled', merge_requests: 'private' })).toBe('granted');
    });

    it('is managing them while either is on, and nothing at all for anybody while both are off', () => {
      expect(manage(30, { issues: 'disabled', merge_requests: 'private' })).toBe('granted');
      expect(manage(30, { issues: 'private', merge_requests: 'disabled' })).toBe('granted');
      expect(manage(10, {})).toBe('insufficient_access_level');
      for (const off of [
        { issues: 'disabled', merge_requests: 'disabled' },
        { issues: 'disabled', repository: 'disabled' },
      ]) {
        expect(manage(50, off)).toBe('switched_off');
        for (const who of [VISITOR, STRANGER, ADMINISTRATOR]) expect(read(who, 50, off)).toBe('switched_off');
      }
    });

    it('is reading them, and no more, when it is archived', () => {
      const archived = { ...project('public'), archived: true };
      expect(isOffered(archived, 50, `read_${kind}`)).toBe(true);
      expect(isOffered(archived, 50, `manage_${kind}`)).toBe(false);
    });
  });

  it('is not offered where it is switched off', () => {
    expect(isOffered(project('public'), 0, 'read_issues')).toBe(true);
    expect(isOffered(project('public', { issues: 'private' }), 0, 'read_issues')).toBe(false);
    expect(isOffered(project('public', { issues: 'private' }), 10, 'read_issues')).toBe(true);
    expect(isOffered(project('public', { issues: 'disabled' }), 50, 'read_issues')).toBe(false);
  });
});
