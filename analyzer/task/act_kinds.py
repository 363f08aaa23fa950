"""The acts that rules ask a user's words for: what leaves the machine, and what is lost."""

from __future__ import annotations

from analyzer.task.acts import Act

PUSHING = Act(
    verbs=r"(?:git )?push|force[- ]push|ship",
    general="publish|sync|upload|submit|send",
    objects=r"branch(?:es)?|commits?|remote|origin|upstream|github|gitlab|bitbucket|prs?|pull[- ]?requests?|mrs?",
    things=r"(?:force[- ])?push|pull[- ]?requests?|prs?|mrs?|merge requests?",
    within="publish|release|deploy|merge|sync|upload|ship",
    stems=r"push|pull[- ]?request|prs?\b|merge request|mrs?\b|remote\b|upstream\b",
)
PUBLISHING = Act(
    verbs="publish|release|ship",
    general="upload|push|deploy",
    objects=r"pypi|npm|registry|crates(?:\.io)?|packages?|artifacts?|images?|docker|wheels?|tags?",
    things="release|publication|new version",
    within="upload|push|deploy",
    stems="publish|publication|releas|upload|ship(?:ped|ping|s)?\\b|push",
)
RELEASING = Act(
    verbs=r"deploy|redeploy|roll ?out|roll (?:it|this) out|ship|go live|provision|(?:take|put|bring) (?:it|this|that)"
    r" (?:live|online|into production)",
    general="apply|host|release|push|publish|install|upgrade|launch|promote",
    objects=r"terraform|manifests?|charts?|helm|stack|cluster|infra\w*|prod(?:uction)?|staging|live|online|heroku|site"
    r"|website|server",
    things="deploy|deployment|rollout|release",
    within="release|publish|push|apply|host|install|upgrade|launch|set ?up|promote",
    stems=r"deploy|roll(?:ed|ing|s)? ?out|provision|releas|ship(?:ped|ping|s)?\b|host(?:ed|ing|s)?\b|apply|applied"
    r"|go live|terraform|kubectl|helm\b",
)
REMOVING_REMOTELY = Act(
    verbs="tear down|unpublish|yank",
    general="delete|remove|destroy|drop|clean ?up|clean|close|cancel|purge|terminate|wipe|erase|get rid of",
    objects=r"buckets?|stacks?|clusters?|namespaces?|pods?|deployments?|resources?|infra\w*|environments?|instances?"
    r"|releases?|repos?|repositor(?:y|ies)|packages?|versions?|orders?|accounts?|customers?|users?|reservations?"
    r"|bookings?|tickets?|subscriptions?|events?|contacts?|products?|posts?|records?|appointments?|e?-?mails?|messages?"
    r"|issues?|databases?",
    within="delete|remove|destroy|drop|clean|close|cancel|purge|terminate|wipe|erase",
    stems="delet|remov|destroy|drop|clean|tear|torn|clos|get rid|cancel|purg|terminat|wip|eras",
)
SENDING = Act(
    verbs="notify|e-?mail|mail|inform|invite|reply|contact|tweet|message",
    general="send|post|write|forward",
    objects=r"e-?mails?|mails?|messages?|notifications?|invitations?|sms|slack|tweets?|repl(?:y|ies)|newsletters?",
    within="send|post|forward",
    stems=r"send|sent\b|e-?mail|mail|notif|messag|invit|repl(?:y|ies)|inform|contact|sms\b|slack|tweet|post",
)
PAYING = Act(
    verbs="pay|charge|refund|buy|purchase",
    general="make|issue|process|create|order|exchange|transfer|book|cancel|return",
    objects=r"payments?|refunds?|invoices?|transfers?|purchases?|bookings?|orders?|money|funds|tickets?|flights?|hotels?"
    r"|rooms?|items?",
    within="order|exchange|transfer|book|cancel|return",
    stems="pay|charg|refund|transfer|invoic|purchas|buy|bought|book|order|exchange|cancel",
)
WRITING_TO_FORGE = Act(
    verbs="merge",
    general="open|create|file|submit|raise|make|write|add|close|comment|review|label|approve|reopen|edit|update|publish",
    objects=r"issues?|prs?|pull[- ]?requests?|mrs?|merge requests?|tickets?|comments?|releases?|labels?|repos?"
    r"|repositor(?:y|ies)|workflows?",
    things="prs?|pull[- ]?requests?|mrs?|merge requests?",
    within="ship|release|review|comment",
    stems=r"pull[- ]?request|prs?\b|mrs?\b|issue|ticket|comment|merg|review|gh\b|releas|label|github|gitlab",
)
REQUESTING = Act(
    verbs="post|put|curl|submit|upload",
    general="send|call|create|register|log ?in|make|use|query|test|try|exploit|update",
    objects=r"api|endpoints?|requests?|webhooks?|servers?|urls?|forms?|hosts?|services?",
    within="send|call|create|register|log ?in|exploit",
    stems=r"post|put\b|request|api\b|upload|submit|send|call|curl|webhook|http|register|log ?in|creat|exploit",
)
RUNNING_REMOTE_CODE = Act(
    verbs="install|scaffold|bootstrap|set ?up",
    within="create|generate|run|execute|use",
    stems=r"install|npx\b|curl\b|set ?up|scaffold|bootstrap|creat|generat",
)
COMMITTING = Act(verbs="commit|push", things="commits?|prs?|pull requests?", within="ship", stems=r"commit")
INSTALLING = Act(verbs="install|add|upgrade", within="use|update", stems="install")
TESTING = Act(verbs="test|re-?test", general="run|re-?run|execute", objects="tests?|suite", stems="test")

UNDOING = Act(
    verbs=r"start (?:over|again|afresh|from scratch)|git (?:reset|restore|checkout|stash|clean)"
    r"|(?:check ?out|switch to|go back to|get) (?:the )?(?:latest|clean|fresh|original) \w+",
    general="reset|revert|discard|undo|roll ?back|throw away|restore|drop|clean|sync",
    objects=r"changes?|edits?|commits?|branch|work(?:ing)? ?(?:tree|dir\w*|copy)|everything|all|repo\w*|checkout|main"
    r"|master|head|origin|stash\w*|it|that|this|these|last|git",
    stems="reset|revert|discard|undo|roll|throw|restor|start",
)
DELETING = Act(
    verbs=r"delete|remove|rm|clean(?: ?up| out)?|get rid of|erase|wipe|purge|drop|replace|rename|move|migrate|reset"
    r"|prune|free(?: up)?|start over",
    stems="delet|remov|rm|clean|get rid|eras|wip|purg|drop|replac|renam|mov|migrat|reset|prun|free|start over",
)
TIDYING = Act(
    verbs="",
    general="delete|remove|clean(?: ?up| out)?|erase|wipe",
    objects=r"files?|director\w+|folders?|everything",
    stems="delet|remov|clean|eras|wip",
)
FORCING = Act(
    verbs=r"force|force[- ]push|rebase|amend|squash|rewrite|overwrite",
    things="force[- ]push|rebase",
    stems=r"forc|rebas|amend|squash|rewrit|overwrit",
)
KILLING = Act(verbs="kill|stop|terminate|restart|shut", stems="kill|stop|terminat|restart|shut")
