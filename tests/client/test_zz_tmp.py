import json, ssl, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from tests.client.bed.api import Api
from tests.client.bed.claude import Claude
from tests.client.bed.recorder import Recorder
from tests.client.bed.script import Say, Use

def test_x(claude: Claude, api: Api, recorder: Recorder) -> None:
    seen = []
    class H(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *a): pass
        def do_GET(self):
            seen.append((self.command, self.path, dict(self.headers)))
            if self.path.startswith("/redir"):
                self.send_response(302); self.send_header("location", "/target"); self.send_header("content-length","0"); self.end_headers(); return
            if self.path.startswith("/xport"):
                self.send_response(302); self.send_header("location", f"https://127.0.0.1:1/target"); self.send_header("content-length","0"); self.end_headers(); return
            b = b"<html><body><h1>Title</h1>hello</body></html>"
            self.send_response(200); self.send_header("content-type","text/html"); self.send_header("content-length",str(len(b))); self.end_headers(); self.wfile.write(b)
        do_HEAD = do_GET
    s = ThreadingHTTPServer(("127.0.0.1", 0), H)
    ctx = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER); ctx.load_cert_chain("/tmp/hfx/s.pem", "/tmp/hfx/s.key")
    s.socket = ctx.wrap_socket(s.socket, server_side=True)
    threading.Thread(target=s.serve_forever, daemon=True).start()
    base = f"https://127.0.0.1:{s.server_port}"
    claude.env["NODE_EXTRA_CA_CERTS"] = "/tmp/hfx/ca.pem"
    claude.settings(recorder.settings(["PreToolUse", "PostToolUse", "PostToolUseFailure"]) | {"skipWebFetchPreflight": True})
    api.side("hello", Say("READING"))
    uses = [Use("WebFetch", {"url": u, "prompt": p}) for u,p in [(f"{base}/plain","p one"),(f"{base}/plain","p one"),(f"{base}/plain","p two"),(f"{base}/plain#x","p two"),(f"{base}/plain#x","p two")]]
    api.script(*uses, Say("ok"))
    r = claude.run("go", timeout=100)
    print(r.code)
    for e in recorder.received if hasattr(recorder, "received") else recorder.calls: print(e)
    for x in seen: print(x)
    for u in uses: print(api.result(u))
    api.unscripted.clear()
    assert 0
