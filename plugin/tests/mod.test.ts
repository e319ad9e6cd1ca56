// `claude plugin test plugin` runs these. Beneath the mod stand made-up answers of the daemon, of the program and of the
// client; what the mod does with them is the client's own doing.

import { describe, expect, mock, test } from 'claude-code/testing'

const HOME = { HOLDFAST_HOME: '/h/.holdfast' }
const PARTS = [
  { title: 'holdfast', lines: ['recording'] },
  { title: 'this turn', lines: ['given once, 31 tokens'] },
]
const PROPS = {
  title: 'holdfast',
  isFocused: false,
  bodyColumns: 60,
  placement: 'dock',
  scroll: { offset: 0, bodyRows: 20 },
  view: {},
} as const
const MOUNTED = { plugin: 'holdfast', surface: 'terminal', component: 'Pane', props: PROPS, requestId: 'holdfast' } as const

/** The world beneath the mod: a session, its usage, the pane's frame; and what was asked of it. */
function world(on, { answer = async () => ({ status: 200, ok: true, headers: {}, text: JSON.stringify(PARTS) }), fails = false } = {}) {
  const seen = { fetched: [], run: [], opened: [], closed: [] as string[] }
  const clock = mock.clock(on)
  mock.env(on, HOME)
  const open = new Set<string>()
  on('session.id', () => ({ value: 'session-1' }))
  on('session.cwd', () => ({ value: '/code/größe' }))
  on('session.usage', () => ({
    value: { startedAt: 0, context: { tokens: 50_000, window: 200_000, percent: 25 }, rateLimits: [] },
  }))
  on('http.fetch', async ($, e) => {
    seen.fetched.push(e)
    return { value: await answer(seen.fetched.length) }
  })
  on('process.run', ($, e) => {
    seen.run.push(e)
    if (fails) throw new Error('cannot start')
    const value = { exitCode: 0, stdout: 'recording\n', stderr: '', isStdoutTruncated: false, isStderrTruncated: false }
    return { value }
  })
  on('ui.panes', () => ({ value: [...open].map((id) => ({ id, title: id, isShown: true, isFocused: false, isPlaced: true })) }))
  on('ui.open', ($, e) => {
    open.add(e.id)
    return { value: { isPlaced: true } }
  })
  on('ui.close', ($, e) => {
    open.delete(e.id)
    seen.closed.push(e.id)
    return { value: undefined }
  })
  on('command.run', () => ({ text: 'the model was asked' }))
  return { seen, clock }
}

function typed(command: string, args = '', kind = 'composer') {
  return { command, args, origin: { kind }, presentation: { isFullscreen: true, columns: 120 } } as never
}

describe('the pane', () => {
  test('it is opened on demand, shows what the daemon says and how full the window is, and follows', async ($, on) => {
    let lines = PARTS
    const { seen, clock } = world(on, {
      answer: async () => ({ status: 200, ok: true, headers: {}, text: JSON.stringify(lines) }),
    })
    await clock.advance(60_000)
    expect(seen.fetched.length).toBe(0) // closed, it asks nothing
    expect((await $.command.run(typed('holdfast:pane'))).text).toContain('is open')
    const ui = await $.ui.mount(MOUNTED)
    for (const text of ['recording', 'given once, 31 tokens', '50000 of 200000 tokens (25 %)']) {
      expect(await ui.find({ type: 'Text', text })).toBeDefined()
    }
    const asked = seen.fetched[0]
    expect(asked.url).toBe('http://localhost/api/pane')
    expect(asked.init.socketPath).toBe('/h/.holdfast/holdfast.sock')
    expect(asked.init.headers['x-holdfast-session']).toBe('session-1')
    expect(asked.init.headers['x-holdfast-cwd']).toBe('/code/grÃ¶Ã\u009fe') // UTF-8, as a header carries it
    lines = [{ title: 'holdfast', lines: ['recording is paused'] }]
    await clock.advance(2_000)
    expect(await ui.find({ type: 'Text', text: 'recording is paused' })).toBeDefined()
    await ui.unmount()
  })

  test('it is closed by the same command, and then nothing runs', async ($, on) => {
    const { seen, clock } = world(on)
    await $.command.run(typed('holdfast:pane'))
    expect((await $.command.run(typed('holdfast:pane'))).text).toContain('is closed')
    expect(seen.closed).toEqual(['holdfast'])
    const before = seen.fetched.length
    await clock.advance(60_000)
    expect(seen.fetched.length).toBe(before)
  })

  test('a daemon that is away, wrong or hung is named, and waited for no longer than a second', async ($, on) => {
    const answers = [
      async () => { throw new Error('ECONNREFUSED') },
      async () => ({ status: 500, ok: false, headers: {}, text: '' }),
      async () => ({ status: 200, ok: true, headers: {}, text: 'no JSON' }),
      () => new Promise(() => {}),
    ]
    let turn = 0
    const { clock } = world(on, { answer: () => answers[turn]() as never })
    for (; turn < answers.length; turn += 1) {
      const running = $.command.run(typed('holdfast:pane'))
      await clock.advance(1_000)
      expect((await running).text).toContain('is open')
      const ui = await $.ui.mount(MOUNTED)
      expect(await ui.find({ type: 'Text', text: 'the daemon does not answer' })).toBeDefined()
      await ui.unmount()
      await $.command.run(typed('holdfast:pane'))
    }
  })

  test('other panes are left alone', async ($, on) => {
    world(on)
    await $.command.run(typed('holdfast:pane'))
    const ui = await $.ui.mount({ ...MOUNTED, requestId: 'somebody-elses' })
    expect(await ui.find({ type: 'Text', text: 'recording' })).toBe(undefined)
    await ui.unmount()
  })
})

describe('the commands', () => {
  test('what a person types is answered by the program, without the model', async ($, on) => {
    const { seen } = world(on)
    const cases = [
      ['holdfast:status', '', ['status']],
      ['holdfast:seen', '', ['seen', 'session-1']],
      ['holdfast:why', 's3fa9c21b', ['why', 's3fa9c21b']],
      ['holdfast:corrections', '', ['corrections']],
      ['holdfast:undo', '', ['undo', '--list']],
      ['holdfast:undo', '3fa9c21b --over', ['undo', '3fa9c21b', '--over']],
      ['holdfast:pause', '2h', ['pause', '--session', 'session-1', '--for', '2h']],
      ['holdfast:pause', 'off', ['resume', '--session', 'session-1']],
      ['holdfast:undo', '--over', ['undo', '--list']],
      ['holdfast:forget', '[s3fa9c21b]', ['forget', 's3fa9c21b']],
      ['holdfast:forget', 's3fa9c21b yes', ['forget', 's3fa9c21b', '--yes']],
    ] as const
    for (const [command, args, words] of cases) {
      expect((await $.command.run(typed(command, args))).text).toContain('recording')
      const { argv, init } = seen.run[seen.run.length - 1]
      expect(argv.slice(2)).toEqual(words as never)
      expect(argv[0]).toBe('sh')
      expect(argv[1]).toMatch(/\/bin\/holdfast$/)
      expect(init.env).toEqual({ CLAUDECODE: '', AI_AGENT: '' })
    }
  })

  test('what no person typed, and what lacks an id, goes to the model', async ($, on) => {
    const { seen } = world(on)
    for (const kind of ['sdk', 'plugin', 'peer', 'scheduled-trigger', 'unclassified']) {
      expect((await $.command.run(typed('holdfast:forget', 's3fa9c21b yes', kind))).text).toBe('the model was asked')
      expect((await $.command.run(typed('holdfast:pause', '', kind))).text).toBe('the model was asked')
    }
    for (const args of ['', 's3fa9c21b;rm', '--text yes', '$(id)']) {
      expect((await $.command.run(typed('holdfast:why', args))).text).toBe('the model was asked')
      expect((await $.command.run(typed('holdfast:forget', args))).text).toBe('the model was asked')
    }
    expect((await $.command.run(typed('holdfast:recall', 'retries'))).text).toBe('the model was asked')
    expect(seen.run.length).toBe(0)
  })

  test('a program that cannot be run leaves the command to the model', async ($, on) => {
    world(on, { fails: true })
    expect((await $.command.run(typed('holdfast:status'))).text).toBe('the model was asked')
  })
})

describe('the end of a turn', () => {
  test('the daemon is told of the main agent, and a daemon that is away changes nothing', async ($, on) => {
    let answers = 0
    const { seen, clock } = world(on, {
      answer: async () => {
        if (++answers > 1) throw new Error('away')
        return { status: 200, ok: true, headers: {}, text: '{}' }
      },
    })
    on('turn.complete', () => ({ text: '' }))
    const turn = { answer: '', durationMs: 5, isAborted: true, turnId: 't1', reason: 'aborted' } as never
    await $.turn.complete(turn)
    await $.turn.complete({ ...(turn as object), agentId: 'a1' } as never)
    await $.turn.complete(turn)
    await clock.advance(2_000)
    expect(seen.fetched.map(({ url, init }) => [url, init.body])).toEqual([
      ['http://localhost/api/fleet/turn', '{"reason":"aborted"}'],
      ['http://localhost/api/fleet/turn', '{"reason":"aborted"}'],
    ] as never)
  })
})
