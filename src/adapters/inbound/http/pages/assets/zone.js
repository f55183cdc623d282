// Tells the service in which time zone this browser is, for people who chose none: the next page shows times in it.
const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const A_YEAR_SECONDS = 31_536_000;
if (/^[A-Za-z0-9_+/-]+$/.test(zone ?? '')) {
  const secure = location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `gatehouse_zone=${zone}; Path=/; Max-Age=${A_YEAR_SECONDS}; SameSite=Lax${secure}`;
}
