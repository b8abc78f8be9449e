"""A mail server for a test: accepts or refuses messages over real SMTP on a free port."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_string
from email.message import Message


@dataclass
class Mailbox:
    port: int = 0
    is_refusing: bool = False
    messages: list[Message] = field(default_factory=list)

    @property
    def recipients(self) -> list[str]:
        return sorted(str(message["To"]) for message in self.messages)


@contextmanager
def mail_server() -> Iterator[Mailbox]:
    mailbox = Mailbox()

    class Conversation(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.say("220 ready")
            for line in self.rfile:
                word = line.strip().upper().split(b" ")[0].split(b":")[0]
                if word == b"DATA":
                    self.take()
                elif word == b"QUIT":
                    self.say("221 bye")
                    return
                elif word == b"RCPT" and mailbox.is_refusing:
                    self.say("451 not now")
                else:
                    self.say("250 ok")

        def take(self) -> None:
            self.say("354 go on")
            lines: list[str] = []
            for line in self.rfile:
                if line == b".\r\n":
                    break
                lines.append(line.decode())
            mailbox.messages.append(message_from_string("".join(lines)))
            self.say("250 taken")

        def say(self, words: str) -> None:
            self.wfile.write(f"{words}\r\n".encode())

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Conversation) as server:
        mailbox.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield mailbox
        finally:
            server.shutdown()
            thread.join()
