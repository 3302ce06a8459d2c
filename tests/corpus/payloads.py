"""The payloads of the corpus, in our own words: for each revision, every message in every direction, small and whole.

A message is written once with all its members; `Revision` leaves out what a revision does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

Json: TypeAlias = Any
Object: TypeAlias = dict[str, Any]
Sender: TypeAlias = str

REVISIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")
MARCH, JUNE, NOVEMBER, NEWEST = REVISIONS[1:]
BOTH: tuple[Sender, Sender] = ("client", "server")

BIG = 2**70
PNG = "iVBORw0KGgo="


class Message(NamedTuple):
    """One body of a revision: who sends it, what kind it is, for which method, its class, and the body."""

    sender: Sender
    kind: str
    method: str
    type: str
    name: str
    body: Object


def other(sender: Sender) -> Sender:
    return "server" if sender == "client" else "client"


class Revision:
    """The messages of one revision."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.at = REVISIONS.index(version)

    def since(self, revision: str, **members: Json) -> Object:
        return members if self.at >= REVISIONS.index(revision) else {}

    def until(self, revision: str, **members: Json) -> Object:
        return members if self.at <= REVISIONS.index(revision) else {}

    def only(self, revision: str, **members: Json) -> Object:
        return members if self.version == revision else {}

    @property
    def newest(self) -> bool:
        return self.version == NEWEST

    # Pieces.

    def meta(self, **members: Json) -> Object:
        """The `_meta` of a request that says all it may."""
        stateless = {
            "io.modelcontextprotocol/protocolVersion": NEWEST,
            "io.modelcontextprotocol/clientCapabilities": self.client_capabilities(),
            "io.modelcontextprotocol/clientInfo": self.implementation("Schreibtisch"),
            "io.modelcontextprotocol/logLevel": "notice",
        }
        return {
            "progressToken": "Fortschritt-7",
            **(stateless if self.newest else {}),
            "traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "example.org/nichts": None,
            **members,
        }

    def least(self) -> Object:
        """The `_meta` a request must have, in its `params`."""
        keys = {"io.modelcontextprotocol/protocolVersion": NEWEST, "io.modelcontextprotocol/clientCapabilities": {}}
        return {"_meta": keys} if self.newest else {}

    def result(self, **members: Json) -> Object:
        return {"_meta": {"example.org/dauer": 0.25, "example.org/n": 1.0, "leer": None}, **members}

    def complete(self, **members: Json) -> Object:
        return {**members, **self.since(NEWEST, resultType="complete")}

    def cached(self, **members: Json) -> Object:
        return {**members, **self.since(NEWEST, resultType="complete", ttlMs=86_400_000, cacheScope="public")}

    def uncached(self, **members: Json) -> Object:
        return {**members, **self.since(NEWEST, resultType="complete", ttlMs=0, cacheScope="private")}

    def annotations(self) -> Object:
        dated = self.since(JUNE, lastModified="2026-02-29T25:61:00Z")
        return {"annotations": {"audience": ["user", "assistant"], "priority": 1, **dated}}

    def icons(self) -> Object:
        icon = {"src": "https://beispiel.example/a b.svg", "mimeType": "image/svg+xml", "sizes": ["any", "48x48"]}
        return self.since(NOVEMBER, icons=[{**icon, "theme": "dark"}, {"src": "data:image/png;base64," + PNG}])

    def own_meta(self) -> Object:
        return self.since(JUNE, _meta={"example.org/farbe": "grün", "null": None})

    def implementation(self, name: str) -> Object:
        return {
            "name": name,
            "version": "1.0.0-β+7",
            **self.since(JUNE, title=f"{name} ✓"),
            **self.since(NOVEMBER, description="", websiteUrl="https://beispiel.example/ö?q=%7e"),
            **self.icons(),
        }

    def client_capabilities(self) -> Object:
        create: Object = {"createMessage": {}}
        tasks = {"list": {}, "cancel": {}, "requests": {"sampling": create, "elicitation": {"create": {}}}}
        return {
            "experimental": {"example.org/versuch": {"stufe": 3, "grenze": 3.0}},
            "roots": {**self.until(NOVEMBER, listChanged=True)},
            "sampling": {**self.since(NOVEMBER, tools={}, context={})},
            **self.since(JUNE, elicitation={**self.since(NOVEMBER, form={}, url={})}),
            **self.only(NOVEMBER, tasks=tasks),
            **self.since(NEWEST, extensions={"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html"]}}),
        }

    def server_capabilities(self) -> Object:
        tasks: Object = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
        return {
            "experimental": {"example.org/versuch": {}},
            "logging": {},
            "prompts": {"listChanged": False},
            "resources": {"listChanged": True, "subscribe": False},
            "tools": {"listChanged": True},
            **self.since(MARCH, completions={}),
            **self.only(NOVEMBER, tasks=tasks),
            **self.since(NEWEST, extensions={"io.modelcontextprotocol/tasks": {}}),
        }

    def text(self, text: str = "Grüße, 世界 🌍\n\u2028\u0000") -> Object:
        return {"type": "text", "text": text, **self.annotations(), **self.own_meta()}

    def image(self) -> Object:
        return {"type": "image", "data": PNG, "mimeType": "image/png", **self.annotations(), **self.own_meta()}

    def audio(self) -> Object:
        return {"type": "audio", "data": "", "mimeType": "audio/ogg", **self.annotations(), **self.own_meta()}

    def resource(self) -> Object:
        return {
            "uri": "datei:///Straße 1/ä.txt?q=%7E#f",
            "name": "straße",
            "description": "",
            "mimeType": "text/plain",
            **self.since(JUNE, title="Straße"),
            **self.since(MARCH, size=BIG),
            **self.annotations(),
            **self.icons(),
            **self.own_meta(),
        }

    def embedded(self) -> Object:
        inner = {"uri": "mem://1", "mimeType": "application/json", "text": '{"a":1}', **self.own_meta()}
        return {"type": "resource", "resource": inner, **self.annotations(), **self.own_meta()}

    def embedded_blob(self) -> Object:
        return {"type": "resource", "resource": {"uri": "", "blob": "-_8="}}

    def blocks(self) -> list[Object]:
        audio = [self.audio()] if self.at >= 1 else []
        link = [{"type": "resource_link", **self.resource()}] if self.at >= 2 else []
        return [self.text(), self.image(), *audio, *link, self.embedded(), self.embedded_blob()]

    def tool(self) -> Object:
        schema = {
            "type": "object",
            "properties": {"ort": {"type": "string", "default": None}, "n": {"$ref": "#/$defs/n"}},
            "required": ["ort"],
            **self.since(NOVEMBER, **{"$schema": "https://json-schema.org/draft/2020-12/schema"}),
        }
        output = {"type": "object", "properties": {"grad": {"type": "number", "maximum": 1e300, "minimum": -40.0}}}
        hints = {
            "title": "Wetter",
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }
        return {
            "name": "wetter.heute",
            "description": "Sagt das Wetter an einem Ort voraus.",
            "inputSchema": schema,
            **self.since(JUNE, title="Das Wetter", outputSchema=output),
            **self.since(MARCH, annotations=hints),
            **self.only(NOVEMBER, execution={"taskSupport": "optional"}),
            **self.icons(),
            **self.own_meta(),
        }

    def free(self) -> Object:
        """Any JSON, as tool arguments have it."""
        return {
            "null": None,
            "wahr": True,
            "eins": 1,
            "eins.null": 1.0,
            "groß": BIG,
            "klein": -0.5,
            "zehn": 1e22,
            "leer": {"": [], "{}": {}},
            "liste": [None, 0, 0.0, False, "", [[]]],
            "schlüssel/~0": "\u007f\ud7ff\ufffd",
        }

    def task(self) -> Object:
        return {
            "taskId": "aufgabe-1",
            "status": "input_required",
            "statusMessage": "",
            "createdAt": "2025-12-24T18:00:00Z",
            "lastUpdatedAt": "gestern",
            "ttl": None,
            "pollInterval": 0,
        }

    def sampling(self) -> Object:
        """The params of `sampling/createMessage`, whole."""
        said: list[Object] = [{"role": "user", "content": self.text("Was ist 7·6?")}]
        if self.at >= 3:
            call = {"type": "tool_use", "id": "ruf-1", "name": "mal", "input": {"a": 7, "b": 6.0}, "_meta": {"k": None}}
            answer = {
                "type": "tool_result",
                "toolUseId": "ruf-1",
                "content": [self.text("42"), self.image()],
                "isError": False,
                "structuredContent": {"produkt": 42},
                "_meta": {},
            }
            said += [
                {"role": "assistant", "content": [call, self.text("Moment")], "_meta": {"zug": 1}},
                {"role": "user", "content": [answer]},
            ]
        return {
            "messages": [*said, {"role": "assistant", "content": self.image()}],
            "maxTokens": 100,
            "modelPreferences": {
                "hints": [{"name": "sonnet"}, {}],
                "costPriority": 0,
                "speedPriority": 0.5,
                "intelligencePriority": 1,
            },
            "systemPrompt": "Kurz antworten.",
            "includeContext": "thisServer",
            "temperature": 1,
            "stopSequences": ["\n\n", ""],
            "metadata": {"anbieter": {"seed": BIG}},
            **self.since(NOVEMBER, tools=[self.tool()], toolChoice={"mode": "required"}),
            **self.only(NOVEMBER, task={"ttl": 60_000}),
        }

    def form(self) -> Object:
        fields = {
            "name": {"type": "string", "title": "Name", "description": "", "minLength": 1, "maxLength": 80},
            "mail": {"type": "string", "format": "email"},
            "alter": {"type": "integer", "minimum": 0, "maximum": 130},
            "anteil": {"type": "number", "title": "Anteil"},
            "ja": {"type": "boolean", "default": False},
            "farbe": {"type": "string", "enum": ["r", "g"], "enumNames": ["rot", "grün"]},
            **self.since(
                NOVEMBER,
                größe={"type": "string", "oneOf": [{"const": "s", "title": "klein"}], "default": "s"},
                tage={"type": "array", "items": {"type": "string", "enum": ["mo", "di"]}, "minItems": 1, "maxItems": 2},
                orte={"type": "array", "items": {"anyOf": [{"const": "b", "title": "Berlin"}]}, "default": ["b"]},
            ),
        }
        return {
            "message": "Bitte ausfüllen",
            "requestedSchema": {"type": "object", "properties": fields, "required": ["name"]},
            **self.since(NOVEMBER, mode="form"),
            **self.only(NOVEMBER, task={"ttl": 1}),
        }

    def link(self) -> Object:
        return {
            "mode": "url",
            "message": "Bitte anmelden",
            "url": "https://beispiel.example/?a=b&c=%2F",
            **self.only(NOVEMBER, elicitationId="e-1"),
        }

    # Messages.

    def requests(self) -> Iterator[Message]:
        def message(sender: Sender, method: str, type_: str, name: str, params: Object | None) -> Message:
            body = {"method": method} if params is None else {"method": method, "params": params}
            return Message(sender, "request", method, type_, name, body)

        def both(sender: Sender, method: str, type_: str, least: Object, whole: Object) -> Iterator[Message]:
            """The smallest params, and all of them."""
            small = {**least, **(self.least() if sender == "client" else {})}
            yield message(sender, method, type_, "least", small or None)
            yield message(sender, method, type_, "whole", {"_meta": self.meta(), **whole})

        page: Object = {"cursor": "seite=2&x=ü"}
        yield from both("client", "tools/list", "ListToolsRequest", {}, page)
        yield from both("client", "prompts/list", "ListPromptsRequest", {}, page)
        yield from both("client", "resources/list", "ListResourcesRequest", {}, {"cursor": ""})
        yield from both("client", "resources/templates/list", "ListResourceTemplatesRequest", {}, page)
        uri = {"uri": "HTTP://Beispiel.example:80/../Ä b?q=%7e#F"}
        yield from both("client", "resources/read", "ReadResourceRequest", uri, {**uri, **self.answers()})
        call = {"name": "wetter.heute", "arguments": self.free(), **self.answers()}
        yield from both("client", "tools/call", "CallToolRequest", {"name": ""}, call)
        get = {"name": "gruß", "arguments": {"wem": "Welt", "": ""}, **self.answers()}
        yield from both("client", "prompts/get", "GetPromptRequest", {"name": "gruß", "arguments": {}}, get)
        context = self.since(JUNE, context={"arguments": {"land": "DE", "leer": ""}})
        titled = self.since(JUNE, title="Gruß")
        argument = {"name": "stadt", "value": "Be"}
        for ref in ({"type": "ref/prompt", "name": "gruß", **titled}, {"type": "ref/resource", "uri": "x://{stadt}"}):
            whole = {"ref": ref, "argument": argument, **context}
            yield from both(
                "client", "completion/complete", "CompleteRequest", {"ref": ref, "argument": argument}, whole
            )
        if self.newest:
            listen = {
                "notifications": {
                    "toolsListChanged": True,
                    "promptsListChanged": False,
                    "resourcesListChanged": True,
                    "resourceSubscriptions": ["mem://1", ""],
                }
            }
            yield from both("client", "server/discover", "DiscoverRequest", {}, {})
            least: Object = {"notifications": {}}
            yield from both("client", "subscriptions/listen", "SubscriptionsListenRequest", least, listen)
            return
        hello = {
            "protocolVersion": self.version,
            "capabilities": self.client_capabilities(),
            "clientInfo": self.implementation("Schreibtisch"),
        }
        bare = {"protocolVersion": "1999-12-31", "capabilities": {}, "clientInfo": {"name": "", "version": ""}}
        yield from both("client", "initialize", "InitializeRequest", bare, hello)
        for sender in BOTH:
            yield from both(sender, "ping", "PingRequest", {}, {})
        yield from both("client", "logging/setLevel", "SetLevelRequest", {"level": "debug"}, {"level": "emergency"})
        yield from both("client", "resources/subscribe", "SubscribeRequest", uri, uri)
        yield from both("client", "resources/unsubscribe", "UnsubscribeRequest", uri, uri)
        yield from both("server", "roots/list", "ListRootsRequest", {}, {})
        ask: Object = {"messages": [], "maxTokens": 1}
        yield from both("server", "sampling/createMessage", "CreateMessageRequest", ask, self.sampling())
        if self.at >= 2:
            form: Object = {"message": "", "requestedSchema": {"type": "object", "properties": {}}}
            yield from both("server", "elicitation/create", "ElicitRequest", form, self.form())
        if self.at == 3:
            yield message("server", "elicitation/create", "ElicitRequest", "link", self.link())
            task = {"name": "t", "task": {"ttl": 1}, "_meta": {"progressToken": 7}}
            yield message("client", "tools/call", "CallToolRequest", "task", task)
            for sender in BOTH:
                one = {"taskId": "aufgabe-1"}
                yield from both(sender, "tasks/get", "GetTaskRequest", one, one)
                yield from both(sender, "tasks/result", "GetTaskPayloadRequest", one, one)
                yield from both(sender, "tasks/cancel", "CancelTaskRequest", one, one)
                yield from both(sender, "tasks/list", "ListTasksRequest", {}, {"cursor": "c"})

    def answers(self) -> Object:
        """What a retry carries at the newest revision."""
        sampled = {"role": "assistant", "content": self.text("42"), "model": "m", "stopReason": "endTurn"}
        return self.since(
            NEWEST,
            inputResponses={
                "form": {"action": "accept", "content": {"name": "Ada", "alter": 36, "anteil": 0.5, "tage": ["mo"]}},
                "modell": sampled,
                "wurzeln": {"roots": [{"uri": "file:///"}]},
            },
            requestState="zustand==",
        )

    def notifications(self) -> Iterator[Message]:
        def both(sender: Sender, method: str, type_: str, least: Object, whole: Object) -> Iterator[Message]:
            body: Object = {"method": f"notifications/{method}"}
            subscription = {"io.modelcontextprotocol/subscriptionId": 5} if self.newest else {}
            meta = {**subscription, "example.org/x": None}
            small = {**body, "params": least} if least else body
            yield Message(sender, "notification", body["method"], type_, "least", small)
            whole_body = {**body, "params": {"_meta": meta, **whole}}
            yield Message(sender, "notification", body["method"], type_, "whole", whole_body)

        cancelled = {"requestId": "ruf-1", "reason": "zu spät"}
        progress = {"progressToken": "", "progress": 50, "total": 100.0, **self.since(MARCH, message="½")}
        for sender in BOTH:
            yield from both(sender, "cancelled", "CancelledNotification", {"requestId": BIG}, cancelled)
        for sender in ("server",) if self.newest else BOTH:
            least: Object = {"progressToken": 0, "progress": 0.1}
            yield from both(sender, "progress", "ProgressNotification", least, progress)
        for data, level in ((None, "debug"), (self.free(), "alert"), ("zeile", "info"), ([1.0, 1], "warning")):
            log = {"data": data, "level": level}
            whole = {**log, "logger": "db.pool"}
            yield from both("server", "message", "LoggingMessageNotification", log, whole)
        yield from both("server", "tools/list_changed", "ToolListChangedNotification", {}, {})
        yield from both("server", "prompts/list_changed", "PromptListChangedNotification", {}, {})
        yield from both("server", "resources/list_changed", "ResourceListChangedNotification", {}, {})
        uri = {"uri": "mem://1"}
        yield from both("server", "resources/updated", "ResourceUpdatedNotification", uri, uri)
        if self.newest:
            heard = {"notifications": {"toolsListChanged": True, "resourceSubscriptions": []}}
            acknowledged = "SubscriptionsAcknowledgedNotification"
            yield from both("server", "subscriptions/acknowledged", acknowledged, {"notifications": {}}, heard)
            return
        yield from both("client", "initialized", "InitializedNotification", {}, {})
        yield from both("client", "roots/list_changed", "RootsListChangedNotification", {}, {})
        if self.at == 3:
            done = {"elicitationId": "e-1"}
            yield from both("server", "elicitation/complete", "ElicitCompleteNotification", done, done)
            for sender in BOTH:
                whole = self.task()
                least = {name: whole[name] for name in ("taskId", "status", "createdAt", "lastUpdatedAt", "ttl")}
                yield from both(sender, "tasks/status", "TaskStatusNotification", least, {**whole, "ttl": BIG})

    def results(self) -> Iterator[Message]:
        def message(sender: Sender, method: str, type_: str, name: str, body: Object) -> Message:
            return Message(sender, "result", method, type_, name, body)

        def listed(method: str, type_: str, member: str, item: Object) -> Iterator[Message]:
            yield message("server", method, type_, "least", self.uncached(**{member: []}))
            whole = self.cached(**self.result(**{member: [item, item]}), nextCursor="")
            yield message("server", method, type_, "whole", whole)

        template = {name: value for name, value in self.resource().items() if name not in ("uri", "size")}
        yield from listed("tools/list", "ListToolsResult", "tools", self.tool())
        yield from listed("resources/list", "ListResourcesResult", "resources", self.resource())
        template = {"uriTemplate": "x://{+pfad}{?q*}", **template}
        yield from listed("resources/templates/list", "ListResourceTemplatesResult", "resourceTemplates", template)
        argument = {"name": "wem", "description": "", "required": False, **self.since(JUNE, title="Wem?")}
        prompt = {
            "name": "gruß",
            "description": "Ein Gruß",
            "arguments": [argument, {"name": "x"}],
            **self.since(JUNE, title="Gruß"),
            **self.icons(),
            **self.own_meta(),
        }
        yield from listed("prompts/list", "ListPromptsResult", "prompts", prompt)

        contents = [
            {"uri": "mem://1", "mimeType": "text/plain", "text": "", **self.own_meta()},
            {"uri": "mem://2", "blob": "AAEC\r\nAw==", **self.own_meta()},
        ]
        read = ("server", "resources/read", "ReadResourceResult")
        yield message(*read, "least", self.uncached(contents=[]))
        yield message(*read, "whole", self.cached(**self.result(contents=contents)))

        call = ("server", "tools/call", "CallToolResult")
        yield message(*call, "least", self.complete(content=[]))
        yield message(*call, "error", self.complete(content=[self.text("kaputt")], isError=True))
        structured = self.since(JUNE, structuredContent=self.free())
        whole = self.complete(**self.result(content=self.blocks(), **structured), isError=False)
        yield message(*call, "whole", whole)
        if self.newest:
            for name, value in (("null", None), ("zahl", 1.0), ("liste", [None, {"a": 1}]), ("text", "")):
                yield message(*call, f"structured {name}", self.complete(content=[], structuredContent=value))

        get = ("server", "prompts/get", "GetPromptResult")
        yield message(*get, "least", self.complete(messages=[]))
        said = [{"role": "user" if i % 2 else "assistant", "content": block} for i, block in enumerate(self.blocks())]
        yield message(*get, "whole", self.complete(**self.result(messages=said), description="Ein Gruß"))

        found = ("server", "completion/complete", "CompleteResult")
        yield message(*found, "least", self.complete(completion={"values": []}))
        values = {"values": ["Berlin", ""], "total": 2, "hasMore": False}
        yield message(*found, "whole", self.complete(**self.result(completion=values)))

        if self.newest:
            yield from self.stateless_results()
            return
        hello = {
            "protocolVersion": self.version,
            "capabilities": self.server_capabilities(),
            "serverInfo": self.implementation("Dienst"),
        }
        bare = {"protocolVersion": "2099-01-01", "capabilities": {}, "serverInfo": {"name": "d", "version": "0"}}
        yield message("server", "initialize", "InitializeResult", "least", bare)
        whole = self.result(**hello, instructions="Erst lesen.")
        yield message("server", "initialize", "InitializeResult", "whole", whole)
        for method in ("logging/setLevel", "resources/subscribe", "resources/unsubscribe", "ping"):
            yield message("server", method, "EmptyResult", "least", {})
        yield message("client", "ping", "EmptyResult", "whole", self.result())
        yield message("client", "roots/list", "ListRootsResult", "least", {"roots": []})
        root = {"uri": "file:///heim/ä", "name": "", **self.own_meta()}
        yield message("client", "roots/list", "ListRootsResult", "whole", self.result(roots=[root]))
        sampled = {"role": "assistant", "content": self.image(), "model": "modell-ß"}
        sample = ("client", "sampling/createMessage", "CreateMessageResult")
        yield message(*sample, "least", sampled)
        yield message(*sample, "whole", self.result(**{**sampled, "stopReason": "eigenesWort", "content": self.text()}))
        if self.at >= 2:
            answer = ("client", "elicitation/create", "ElicitResult")
            for action in ("decline", "cancel", "accept"):
                yield message(*answer, action, {"action": action})
            lists = self.since(NOVEMBER, tage=["mo", ""])
            filled = {"name": "Ada", "alter": BIG, "ja": False, "anteil": 0.5, **lists}
            yield message(*answer, "whole", self.result(action="accept", content=filled))
        if self.at == 3:
            yield from self.task_results(sampled)

    def task_results(self, sampled: Object) -> Iterator[Message]:
        tools = {"type": "tool_use", "id": "r", "name": "n", "input": {}}
        listed = {**sampled, "content": [tools, self.text()], "stopReason": "toolUse"}
        with_tools = "CreateMessageResultWithTools"
        yield Message("client", "result", "sampling/createMessage", with_tools, "list", listed)
        body = self.result(task=self.task())
        yield Message("server", "result", "tools/call", "CreateTaskResult", "whole", body)
        for method in ("sampling/createMessage", "elicitation/create"):
            yield Message("client", "result", method, "CreateTaskResult", "whole", body)
        whole = self.task()
        least = {name: whole[name] for name in ("taskId", "status", "createdAt", "lastUpdatedAt", "ttl")}
        for sender in BOTH:
            for method, type_ in (("tasks/get", "GetTaskResult"), ("tasks/cancel", "CancelTaskResult")):
                yield Message(sender, "result", method, type_, "least", {**least, "status": "cancelled"})
                yield Message(sender, "result", method, type_, "whole", self.result(**{**whole, "ttl": 0}))
            tasks = self.result(tasks=[least, whole], nextCursor="n")
            yield Message(sender, "result", "tasks/list", "ListTasksResult", "least", {"tasks": []})
            yield Message(sender, "result", "tasks/list", "ListTasksResult", "whole", tasks)
        payload = {"content": [self.text("fertig")], "isError": False, "structuredContent": {"n": 1.0, "null": None}}
        yield Message("server", "result", "tasks/result", "GetTaskPayloadResult", "whole", self.result(**payload))
        yield Message("client", "result", "tasks/result", "GetTaskPayloadResult", "whole", self.result(**sampled))

    def stateless_results(self) -> Iterator[Message]:
        discover = ("server", "server/discover", "DiscoverResult")
        least = self.uncached(supportedVersions=[], capabilities={})
        served = {"io.modelcontextprotocol/serverInfo": self.implementation("Dienst"), "x": None}
        yield Message(*discover[:1], "result", *discover[1:], "least", least)
        whole = self.cached(
            _meta=served,
            supportedVersions=list(REVISIONS),
            capabilities=self.server_capabilities(),
            instructions="Erst lesen.",
        )
        yield Message(*discover[:1], "result", *discover[1:], "whole", whole)
        for id_ in ("abo", 0):
            body = {"_meta": {"io.modelcontextprotocol/subscriptionId": id_}, "resultType": "complete"}
            name = f"subscription {id_}"
            yield Message("server", "result", "subscriptions/listen", "SubscriptionsListenResult", name, body)
        requests: Object = {
            "form": {"method": "elicitation/create", "params": self.form()},
            "link": {"method": "elicitation/create", "params": self.link()},
            "modell": {"method": "sampling/createMessage", "params": self.sampling()},
            "wurzeln": {"method": "roots/list"},
        }
        for method in ("tools/call", "prompts/get", "resources/read"):
            asked = self.result(inputRequests=requests, requestState="z", resultType="input_required")
            waits = {"requestState": "", "resultType": "input_required"}
            one = {"inputRequests": {"r": {"method": "roots/list", "params": {}}}, "resultType": "input_required"}
            bodies: list[tuple[str, Object]] = [("whole", asked), ("state", waits), ("roots", one)]
            for name, body in bodies:
                yield Message("server", "result", method, "InputRequiredResult", name, body)

    def messages(self) -> Iterator[Message]:
        """All bodies of the revision."""
        yield from self.requests()
        yield from self.notifications()
        yield from self.results()
