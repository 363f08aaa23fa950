"""Words by which an agent says what it left to do, or to whom."""

from __future__ import annotations

import re

from analyzer.text.late import late

RESERVES = late(
    r"(?:\bnot|n['’]t) (?:yet )?(?:been )?(?:run|ran|tested|verified|checked|test|verify|check|start|started|look\w*)\b"
    r"|\b(?:untested|unverified|unchecked|by you|up to you)\b"
    r"|\b(?:has|have|needs?) to be (?:\w+ ){0,2}(?:looked|checked|tested|run)\b"
    r"|\b(?:konnte|kann|habe) [^.\n]{0,60}\b(?:nicht|kein\w*)\b|\bn['’](?:ai|a) pas\b"
    r"|\bno (?:pude|he podido)\b|没有|未能|无法"
    r"|\b(?:skipp\w+|left out|unable to|could(?: not|n['’]t)|by hand|visually|visual (?:check|test|verif|inspect)\w*"
    r"|manual(?:ly)? (?:test|verif|check|confirm|inspect|review|start|run|step)\w*|remains? to|next steps?"
    r"|you (?:can|should|may|could|might|will|['’]ll)(?: (?:now|also|want to|need to|like to)){0,2}"
    r" (?:run|test|verify|check|start|see|view|try|open|look|confirm))\b",
    re.IGNORECASE,
)
"""Words by which an agent says what it left to do."""
