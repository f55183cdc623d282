import { describe, expect, it } from '@jest/globals';
import { callsInText } from '../../../src/adapters/inbound/http/api-v3/calls-in-text.js';

const found = (line: string) =>
  callsInText(line).map(({ call, changes }) => [call, ...changes.map(({ before }) => before)]);

describe('calls of version 3 in a text', () => {
  it('are found in a line of a log, by the method before the address', () => {
    expect(found('10.1.2.3 - - [29/Nov/2026] "DELETE /api/v3/projects/5/star HTTP/1.1" 410 93')).toEqual([
      ['DELETE /api/v3/projects/5/star', 'DELETE /projects/:id/star'],
    ]);
    expect(found('{"path":"/api/v3/todos/7","method":"DELETE","status":410}')).toEqual([
      ['DELETE /api/v3/todos/7', 'DELETE /todos/:todo_id'],
    ]);
  });

  it('are found in code, where ids are not there yet', () => {
    for (const line of [
      'requests.post(f"{base}/api/v3/projects/fork/{id}")',
      'await http.post(`${base}/api/v3/projects/fork/${project.id}`);',
      'client.post("#{base}/api/v3/projects/fork/#{id}")',
      'curl -X POST "$BASE/api/v3/projects/fork/$ID"',
      'POST {base_url}/api/v3/projects/fork/:id',
    ])
      expect(found(line).map(([, ...changes]) => changes)).toEqual([['POST /projects/fork/:id']]);
  });

  it('say what any method would come to where the line tells none', () => {
    expect(found("const STAR = '/api/v3/projects/5/star'")).toEqual([
      ['/api/v3/projects/5/star', 'DELETE /projects/:id/star'],
    ]);
  });

  it('look at the parameters of a query, and never repeat one', () => {
    const line = 'GET /api/v3/projects/5/repository/tree?ref_name=main&private_token=secret';
    expect(JSON.stringify(found(line))).not.toContain('secret');
    expect(found(line)[0]).toEqual(
      expect.arrayContaining(['GET /api/v3/projects/5/repository/tree', expect.stringContaining('ref_name')]),
    );
  });

  it('are several in one line, each by the method that is nearest', () => {
    const line = 'GET /api/v3/version, then POST /api/v3/projects/fork/5';
    expect(callsInText(line).map(({ call }) => call)).toEqual(['GET /api/v3/version', 'POST /api/v3/projects/fork/5']);
  });

  it('are none of another version, and none of what only begins alike', () => {
    expect(found('GET /api/v4/projects /api/v30/x /api/v3-old /api/v3.1')).toEqual([]);
  });
});
