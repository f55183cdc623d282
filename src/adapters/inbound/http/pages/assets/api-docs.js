// Sends what the form of the page holds, by the token given or as whoever is signed in, and shows the answer. Without it the page can
// still be read.
const readable = (text) => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** A token stands for itself; without one the session of this browser does, as far as its forms may. */
const credentialsOf = (form) => {
  const token = document.getElementById('token').value;
  if (token !== '') return { credentials: 'omit', headers: { Authorization: `Bearer ${token}` } };
  const { csrf } = form.dataset;
  return csrf === undefined
    ? { credentials: 'omit', headers: {} }
    : { credentials: 'same-origin', headers: { 'X-CSRF-Token': csrf } };
};

const requestOf = (form) => {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const body = new URLSearchParams();
  for (const input of form.querySelectorAll('input[data-place]')) {
    const { name, value } = input;
    if (input.dataset.place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') (input.dataset.place === 'query' ? query : body).set(name, value);
  }
  const search = query.size > 0 ? `?${query}` : '';
  const { method } = form.dataset;
  return new Request(`${path}${search}`, {
    method,
    ...credentialsOf(form),
    ...(method === 'GET' || method === 'DELETE' ? {} : { body }),
  });
};

const send = async (form) => {
  const output = form.querySelector('pre');
  output.hidden = false;
  output.textContent = '…';
  try {
    const response = await fetch(requestOf(form));
    output.textContent = `${response.status} ${response.statusText}\n\n${readable(await response.text())}`;
  } catch (error) {
    output.textContent = `The request could not be sent: ${error.message}`;
  }
};

for (const element of document.querySelectorAll('[data-needs-script]')) element.hidden = false;
document.getElementById('try').addEventListener('submit', (event) => {
  event.preventDefault();
  void send(event.target);
});
