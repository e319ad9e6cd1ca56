// The daemon of this user, by its Unix socket. The mod never waits longer than a second for it.

const SECOND = 1000

/** What the daemon answers to a GET, as a value; undefined when it is away, late or answers anything else. */
export async function ask($, path) {
  return exchange($, path, {})
}

/** The same for a POST. */
export async function tell($, path, value) {
  return exchange($, path, { method: 'POST', body: JSON.stringify(value) })
}

async function exchange($, path, request) {
  try {
    const home = await homeOf($)
    if (home === undefined) return undefined
    const headers = { 'x-holdfast-session': await $.session.id(), 'x-holdfast-cwd': asHeader(await $.session.cwd()) }
    const answer = $.http.fetch(`http://localhost${path}`, { ...request, headers, socketPath: `${home}/holdfast.sock` })
    // A fetch to a hung port ends only after 30 seconds (2.1.325).
    const found = await Promise.race([answer, $.clock.sleep(SECOND)])
    return found?.ok ? JSON.parse(found.text) : undefined
  } catch {
    return undefined
  }
}

/** The folder that holds everything of holdfast: where its program looks, too. */
async function homeOf($) {
  const named = await $.env.get('HOLDFAST_HOME')
  if (named) return named
  const user = (await $.env.get('HOME')) ?? ''
  const data = (await $.env.get('XDG_DATA_HOME')) || `${user}/.local/share`
  for (const home of [`${data}/holdfast`, `${user}/Library/Application Support/holdfast`]) {
    if (await $.fs.exists(`${home}/daemon.lock`)) return home
  }
  return undefined
}

/** A header holds bytes; what we send in it is UTF-8. */
function asHeader(text) {
  return String.fromCharCode(...new TextEncoder().encode(text))
}
