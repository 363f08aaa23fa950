"use strict";
document.documentElement.classList.add("has-script");
