/** One message of a stream of server-sent events; a comment has neither id nor data. */
export interface Message {
  id: string | null;
  data: string | null;
}

/** Reads messages out of text that comes in pieces cut anywhere. */
export class EventReader {
  private rest = "";

  take(piece: string): Message[] {
    const blocks = (this.rest + piece).replaceAll("\r\n", "\n").split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.map(read);
  }
}

function read(block: string): Message {
  const message: Message = { id: null, data: null };
  for (const line of block.split("\n")) {
    if (line.startsWith("id:")) message.id = line.slice(3).trim();
    else if (line.startsWith("data:")) {
      const text = line.slice(5).replace(/^ /, "");
      message.data = message.data === null ? text : `${message.data}\n${text}`;
    }
  }
  return message;
}
