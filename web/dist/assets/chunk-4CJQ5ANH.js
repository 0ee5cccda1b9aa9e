import{E as e,P as t,ja as r}from"/assets/chunk-S2T4VUEY.js";function o(){return t(r,{title:e("signIn.me"),children:t("span",{})})}export{o as default};
