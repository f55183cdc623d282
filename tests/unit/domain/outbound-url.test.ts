import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMayReach } from '../../../src/adapters/outbound/network/reachable-hosts.js';
import { outboundUrlProblem } from '../../../src/domain/shared/outbound-url.js';
import { anyText } from '../../support/any-text.js';

const PRIVATE = 'leads to a private or reserved network';
const NO_URL = 'must be an http or https address';
const USER = 'must not carry a user name or password';

const problem = (url: string, allowlist: readonly string[] = []) => outboundUrlProblem(url, createMayReach(allowlist));

describe('a URL that the service may connect to', () => {
  it.each([
    'https://errors.example/api/0/projects/team/engine',
    'http://errors.example:9000/?query=1#part',
    'HTTPS://ERRORS.EXAMPLE',
    'https://bücher.example/',
    'https://8.8.8.8/',
    'https://[2606:4700:4700::1111]:8443/api',
    'https://127.0.0.1.errors.example/',
    'https://localhost.errors.example/',
    'https://fe80.example/',
    'https://errors.example/@team?mail=a@b.example',
    `https://errors.example/${'a'.repeat(255 - 'https://errors.example/'.length)}`,
  ])('may be %s', (url) => {
    expect(problem(url)).toBeUndefined();
  });

  it.each([
    ['loopback', 'http://127.0.0.1/'],
    ['all of loopback', 'http://127.255.255.254/'],
    ['loopback with a port', 'https://127.0.0.1:9000/api'],
    ['loopback with a dot at its end', 'http://127.0.0.1./'],
    ['loopback in decimal', 'http://2130706433/'],
    ['loopback in hex', 'http://0x7f000001/'],
    ['loopback in octal', 'http://017700000001/'],
    ['loopback in mixed parts', 'http://0x7f.1/'],
    ['loopback in short', 'http://127.1/'],
    ['loopback, escaped', 'http://127%2e0%2e0%2e1/'],
    ['loopback in full-width digits', 'http://１２７.０.０.１/'],
    ['loopback by ideographic full stops', 'http://127。0。0。1/'],
    ['localhost', 'http://localhost/'],
    ['localhost in capitals', 'http://LOCALHOST:8080/'],
    ['localhost with a dot at its end', 'http://localhost./'],
    ['a name below localhost', 'http://engine.localhost/'],
    ['this host', 'http://0.0.0.0/'],
    ['this host as zero', 'http://0/'],
    ['10/8', 'http://10.0.0.1/'],
    ['172.16/12', 'http://172.31.255.255/'],
    ['192.168/16', 'http://192.168.1.1/'],
    ['192.168/16 in octal', 'http://0300.0250.0.1/'],
    ['what a provider shares', 'http://100.64.0.1/'],
    ['link-local', 'http://169.254.0.1/'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'],
    ['the metadata of a cloud in decimal', 'http://2852039166/'],
    ['the metadata of a cloud in IPv6', 'http://[fd00:ec2::254]/'],
    ['what is for protocols', 'http://192.0.0.170/'],
    ['what is for measuring', 'http://198.18.0.1/'],
    ['multicast', 'http://224.0.0.1/'],
    ['reserved', 'http://240.0.0.1/'],
    ['broadcast', 'http://255.255.255.255/'],
    ['IPv6 loopback', 'http://[::1]/'],
    ['IPv6 loopback in full', 'http://[0:0:0:0:0:0:0:1]:80/'],
    ['IPv6 unspecified', 'http://[::]/'],
    ['IPv6 unique local', 'http://[fd12:3456::1]/'],
    ['IPv6 link-local', 'http://[fe80::1]/'],
    ['IPv6 site-local', 'http://[fec0::1]/'],
    ['IPv6 multicast', 'http://[ff02::1]/'],
    ['IPv6 for books', 'http://[2001:db8::1]/'],
    ['IPv4 mapped', 'http://[::ffff:127.0.0.1]/'],
    ['IPv4 mapped in hex', 'http://[::ffff:a9fe:a9fe]/'],
    ['IPv4 compatible', 'http://[::127.0.0.1]/'],
    ['IPv4 translated', 'http://[::ffff:0:127.0.0.1]/'],
    ['NAT64', 'http://[64:ff9b::7f00:1]/'],
    ['NAT64 of one’s own', 'http://[64:ff9b:1::a00:1]/'],
    ['6to4', 'http://[2002:7f00:1::]/'],
    ['Teredo', 'http://[2001:0:7f00:1::]/'],
  ])('is never %s: %s', (_what, url) => {
    expect(problem(url)).toBe(PRIVATE);
  });

  it.each([
    ['ftp://errors.example/', NO_URL],
    ['file:///etc/passwd', NO_URL],
    ['javascript:alert(1)', NO_URL],
    ['errors.example/api', NO_URL],
    ['//errors.example/', NO_URL],
    ['https:errors.example', NO_URL],
    ['https:///errors.example', NO_URL],
    ['https://', NO_URL],
    ['https://errors.example:99999/', NO_URL],
    ['https://[::1', NO_URL],
    ['https://1.2.3.256/', NO_URL],
    ['https://errors.example/a b', NO_URL],
    ['https://errors.example\\@127.0.0.1/', NO_URL],
    ['https://127.0.0\t.1/', NO_URL],
    ['https://errors.example/\r\nHost: inside', NO_URL],
    ['https://ada@errors.example/', USER],
    ['https://ada:secret@errors.example/', USER],
    ['https://errors.example:80@127.0.0.1/', USER],
    ['https://@errors.example/', USER],
    [`https://errors.example/${'a'.repeat(233)}`, 'is too long (maximum is 255 characters)'],
  ])('is not %s', (url, expected) => {
    expect(problem(url)).toBe(expected);
  });

  it.each([
    ['10.1.0.0/16', 'http://10.1.2.3/', 'http://10.2.0.1/'],
    ['10.1.2.3', 'http://10.1.2.3/', 'http://10.1.2.4/'],
    ['10.1.0.0/16', 'http://[::ffff:10.1.2.3]/', 'http://[::10.1.2.3]/'],
    ['127.0.0.0/8', 'http://0x7f.1/', 'http://[::1]/'],
    ['127.0.0.1', 'http://localhost:9000/', 'http://127.0.0.2/'],
    ['::1', 'http://localhost/', 'http://127.0.0.1/'],
    ['fd12::/16', 'http://[fd12::1]/', 'http://[fd13::1]/'],
    ['0.0.0.0/0', 'http://169.254.169.254/', 'http://[fe80::1]/'],
  ])('may be in %s where that is allowed: %s, but not %s', (network, inside, outside) => {
    expect([problem(inside), problem(inside, [network])]).toEqual([PRIVATE, undefined]);
    expect(problem(outside, ['203.0.113.0/24', network])).toBe(PRIVATE);
  });

  it('is judged by the address, however that is written', () => {
    const octet = fc.nat(255);
    const write = (value: number, base: 'decimal' | 'hex' | 'octal') =>
      ({ decimal: String(value), hex: `0x${value.toString(16)}`, octal: `0${value.toString(8)}` })[base];
    const base = fc.constantFrom('decimal', 'hex', 'octal');
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), fc.integer({ min: 1, max: 4 }), base, (octets, parts, how) => {
        const dotted = octets.join('.');
        // All parts but the last are one octet each; the last has the rest.
        const rest = octets.slice(parts - 1).reduce((sum, each) => sum * 256 + each, 0);
        const written = [...octets.slice(0, parts - 1), rest].map((each) => write(each, how)).join('.');
        const expected = problem(`http://${dotted}/`);
        expect(problem(`http://${written}/`)).toBe(expected);
        expect(problem(`http://[::ffff:${dotted}]/`)).toBe(expected);
      }),
    );
  });

  it('is judged without failing, whatever is given', () => {
    const url = fc.oneof(
      fc.webUrl(),
      anyText({ maxLength: 300 }),
      fc.ipV6().map((host) => `http://[${host}]/`),
    );
    fc.assert(fc.property(url, (given) => void problem(given, ['10.0.0.0/8', 'fd00::/8'])));
  });
});
