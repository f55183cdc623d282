import { describe, expect, it } from '@jest/globals';
import {
  checkErrorTracking,
  decideChange,
  type ErrorTrackingSettings,
} from '../../../src/domain/error-tracking/error-tracking-settings.js';
import { projectNameOf, trackerExternalUrlOf } from '../../../src/domain/error-tracking/tracker-project.js';
import { Invalid } from '../../../src/domain/shared/domain-error.js';
import { ProblemCollector } from '../../../src/domain/shared/problem-collector.js';
import type { ProjectId } from '../../../src/domain/shared/identifiers.js';

const API_URL = 'https://errors.example/api/0/projects/team/analytical-engine';
const STORED: ErrorTrackingSettings = {
  projectId: 7 as ProjectId,
  active: false,
  apiUrl: API_URL,
  projectName: 'Engine',
  trackerExternalUrl: 'https://errors.example/engine',
  tokenStored: true,
};

describe('a change of error tracking', () => {
  it('makes settings that are active, and say the rest by themselves', () => {
    expect(decideChange(7 as ProjectId, undefined, { apiUrl: ` ${API_URL} ` })).toEqual({
      settings: {
        projectId: 7,
        active: true,
        apiUrl: API_URL,
        projectName: null,
        trackerExternalUrl: null,
        tokenStored: false,
      },
      token: null,
    });
  });

  it('leaves what it does not name, the token too', () => {
    expect(decideChange(7 as ProjectId, STORED, { active: true })).toEqual({ settings: { ...STORED, active: true } });
    expect(decideChange(7 as ProjectId, STORED, { apiUrl: API_URL, projectName: 'Mill' })).toEqual({
      settings: { ...STORED, projectName: 'Mill' },
    });
  });

  it('to another API URL takes nothing of the old project along, its token above all', () => {
    const apiUrl = 'https://errors.evil.example/';
    const bare = { ...STORED, apiUrl, projectName: null, trackerExternalUrl: null };
    expect(decideChange(7 as ProjectId, STORED, { apiUrl })).toEqual({
      settings: { ...bare, tokenStored: false },
      token: null,
    });
    expect(decideChange(7 as ProjectId, STORED, { apiUrl, token: 'new', projectName: 'Mill' })).toEqual({
      settings: { ...bare, projectName: 'Mill', tokenStored: true },
      token: 'new',
    });
  });

  it.each([null, '', '  '])('clears what it gives as %j', (nothing) => {
    expect(
      decideChange(7 as ProjectId, STORED, { token: nothing, projectName: nothing, trackerExternalUrl: nothing }),
    ).toEqual({
      settings: { ...STORED, projectName: null, trackerExternalUrl: null, tokenStored: false },
      token: null,
    });
  });

  it('is refused with every problem at once, and never repeats the token', () => {
    const decided = decideChange(7 as ProjectId, undefined, {
      projectName: 'x'.repeat(256),
      trackerExternalUrl: 'javascript:alert(1)',
      token: 'two\r\nlines',
    });
    const problems = new ProblemCollector();
    checkErrorTracking(problems, decided, () => true);
    let refusal: unknown;
    try {
      problems.refuse();
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(Invalid);
    expect((refusal as Invalid).problems).toEqual({
      api_url: ["can't be blank"],
      tracker_external_url: ['must be an http or https address'],
      project_name: ['is too long (maximum is 255 characters)'],
      token: ['must be letters, digits and signs without spaces, at most 1000'],
    });
  });
});

describe('what an API URL says by itself', () => {
  it.each([
    [API_URL, 'Analytical Engine', 'https://errors.example/team/analytical-engine'],
    [`${API_URL}/`, 'Analytical Engine', 'https://errors.example/team/analytical-engine/'],
    [
      'https://errors.example/below/api/0/projects/team/mill_no_2/issues',
      'Mill No 2',
      'https://errors.example/below/team/mill_no_2/issues',
    ],
    ['https://errors.example/API/0/projects/team/caf%C3%A9', 'Café', 'https://errors.example/team/caf%C3%A9'],
    ['https://errors.example/api/0/projects/team/%E0%A4', '%E0%A4', 'https://errors.example/team/%E0%A4'],
    [
      'https://errors.example/engine?next=/api/0/projects/a/b',
      'B',
      'https://errors.example/engine?next=/api/0/projects/a/b',
    ],
    [
      'https://errors.example/teams/difference-engine',
      'Difference Engine',
      'https://errors.example/teams/difference-engine',
    ],
    ['https://errors.example/', 'Errors.example', 'https://errors.example/'],
    ['https://api/0/projects/engine', 'Engine', 'https://api/0/projects/engine'],
  ])('%s: the project is called %s and seen at %s', (apiUrl, name, externalUrl) => {
    expect(projectNameOf({ apiUrl, projectName: null })).toBe(name);
    expect(trackerExternalUrlOf({ apiUrl, trackerExternalUrl: null })).toBe(externalUrl);
  });

  it('gives way to what was given', () => {
    expect([projectNameOf(STORED), trackerExternalUrlOf(STORED)]).toEqual(['Engine', 'https://errors.example/engine']);
  });
});
